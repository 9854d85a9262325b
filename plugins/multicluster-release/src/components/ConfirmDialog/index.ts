export { ConfirmDialog } from './ConfirmDialog';
export { isReason, ReasonField } from './ReasonField';
