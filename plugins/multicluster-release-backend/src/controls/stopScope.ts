import type { StopScope } from 'backstage-plugin-multicluster-release-common';

/** A cluster as an order may name it. */
export interface ScopedCluster {
  name: string;
  region?: string;
  /** Groups of clusters that app-config puts it in. */
  groups: string[];
}

/** Whether an emergency stop reaches a service on a cluster. */
export function stopReaches(scope: StopScope, service: string, cluster: ScopedCluster): boolean {
  if ('services' in scope) {
    return scope.services.includes(service);
  }
  return stopNamesCluster(scope, cluster);
}

/** Whether it reaches everything on the cluster; one of services never does. */
export function stopNamesCluster(scope: StopScope, cluster: ScopedCluster): boolean {
  if ('all' in scope) {
    return true;
  }
  if ('regions' in scope) {
    return cluster.region !== undefined && scope.regions.includes(cluster.region);
  }
  if ('groups' in scope) {
    return cluster.groups.some(group => scope.groups.includes(group));
  }
  return 'clusters' in scope && scope.clusters.includes(cluster.name);
}
