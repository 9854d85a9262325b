export { describeProblem, type Fault, type Problem } from './describeProblem';
export {
  multiclusterReleaseApiRef,
  type ClusterList,
  type MeasurementQuery,
  type MulticlusterReleaseApi,
  type NumberedStep,
  type ReleaseDocument,
  type ReleasePage,
  type ReleaseQuery,
  type RemovalOptions,
  type StartOptions,
} from './MulticlusterReleaseApi';
export { MulticlusterReleaseClient } from './MulticlusterReleaseClient';
export { newIdempotencyKey } from './newIdempotencyKey';
