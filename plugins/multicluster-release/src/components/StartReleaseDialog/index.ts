export { StartReleaseDialog } from './StartReleaseDialog';
