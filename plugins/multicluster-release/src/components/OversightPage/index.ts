export { ActiveReleases } from './ActiveReleases';
export { Approvals } from './Approvals';
export { Clusters } from './Clusters';
export { Controls } from './Controls';
export { OversightPage } from './OversightPage';
export { StopBanner } from '../StopBanner';
