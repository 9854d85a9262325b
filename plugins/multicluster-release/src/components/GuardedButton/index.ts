export { GuardedButton } from './GuardedButton';
