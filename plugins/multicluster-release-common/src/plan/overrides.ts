import { exclusionRule } from './selectTargets';
import type { ClusterSelector, FleetCluster } from './spec';

/**
 * Which overrides of a template reach a cluster, by their positions. Clusters
 * with equal answers get equal content in equal namespaces.
 */
export function matchingOverrides(matches: ClusterSelector[], cluster: FleetCluster): number[] {
  return matches.flatMap((match, index) =>
    exclusionRule(match, cluster) === undefined ? [index] : [],
  );
}
