export { ActiveReleases } from './ActiveReleases';
export { Clusters } from './Clusters';
export { OversightPage } from './OversightPage';
