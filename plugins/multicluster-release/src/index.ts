/**
 * Pages, cards and dialogs of Multicluster Release.
 *
 * @packageDocumentation
 */
export {
  MulticlusterReleaseClient,
  multiclusterReleaseApiRef,
  type ClusterList,
  type MeasurementQuery,
  type MulticlusterReleaseApi,
  type NumberedStep,
  type ReleaseDocument,
  type ReleasePage,
  type ReleaseQuery,
  type StartOptions,
} from './api';
export { multiclusterReleasePlugin as default } from './plugin';
