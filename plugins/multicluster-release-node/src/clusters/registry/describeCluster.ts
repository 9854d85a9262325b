import type { ClusterInfo, ClusterSource } from '../types';
import type { ConfiguredCluster } from './ClustersConfig';

/** What app-config says of a cluster, beside how it is reached. */
export function describeCluster(
  configured: Omit<ConfiguredCluster, 'access'>,
  source: ClusterSource,
): ClusterInfo {
  const { name, title, region, position, labels, groups } = configured;
  return { name, title, region, position, labels, groups, source };
}
