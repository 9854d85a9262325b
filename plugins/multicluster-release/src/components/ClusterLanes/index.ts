export { ClusterLanes } from './ClusterLanes';
