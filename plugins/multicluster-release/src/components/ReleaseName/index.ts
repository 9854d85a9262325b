export { ReleaseId } from './ReleaseId';
export { RollbackTrace } from './RollbackTrace';
