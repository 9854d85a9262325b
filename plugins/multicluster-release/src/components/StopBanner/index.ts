export { LiftStopDialog } from './LiftStopDialog';
export { StopBanner } from './StopBanner';
export { TypedScope } from './TypedScope';
