export { ReleaseId } from './ReleaseId';
export { RelatedReleases } from './RelatedReleases';
