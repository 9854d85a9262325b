export { ReleasesContent } from './ReleasesContent';
