export { Measurements } from './Measurements';
