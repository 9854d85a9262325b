export { ReleaseActions } from './ReleaseActions';
export { RollbackDialog } from './RollbackDialog';
export { useSendAction } from './useSendAction';
