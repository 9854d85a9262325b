export { VersionsTable } from './VersionsTable';
