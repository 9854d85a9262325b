export { ActiveReleases } from './ActiveReleases';
export { Approvals } from './Approvals';
export { Clusters } from './Clusters';
export { OversightPage } from './OversightPage';
export { Stops } from './Stops';
export { Windows } from './Windows';
export { StopBanner } from '../StopBanner';
