export * from './types';
export * from './Timing';
export * from './createClusterAccess';
export { ClusterError, clusterStateOfError, type ClusterErrorOptions } from './errors/ClusterError';
export { listAll, type CompleteList, type ListAllOptions } from './listAll';
export { parseQuantity } from './prober/parseQuantity';
export { requestOfPod, type Amounts } from './prober/podRequests';
export type { ListingMemory } from './registry/DefaultClusterRegistry';
export type { ClusterRefusal } from './registry/types';
