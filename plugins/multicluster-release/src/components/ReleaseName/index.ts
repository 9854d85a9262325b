export { nextNewer } from './nextNewer';
export { ReleaseId } from './ReleaseId';
export { RelatedReleases } from './RelatedReleases';
