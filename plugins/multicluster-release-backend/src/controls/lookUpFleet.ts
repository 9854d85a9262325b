import type { ClusterRegistry } from 'backstage-plugin-multicluster-release-node';
import type { ScopedCluster } from './stopScope';

/** What the fleet says of the clusters of one release. */
export interface FleetFacts {
  /** All of them; one that is not listed has neither region nor groups. */
  clusters: ScopedCluster[];
  /** Those that are not listed any more. */
  left: string[];
}

export type LookUpFleet = (names: string[]) => FleetFacts;

/** Nobody has left while the list cannot be trusted: an error is never an absence (C07). */
export function lookUpFleet(registry: Pick<ClusterRegistry, 'list'>): LookUpFleet {
  return names => {
    const { clusters, stale, problem } = registry.list();
    const listed = new Map(clusters.map(cluster => [cluster.name, cluster]));
    const trusted = !stale && problem === undefined;
    return {
      clusters: names.map(name => ({
        name,
        region: listed.get(name)?.region,
        groups: listed.get(name)?.groups ?? [],
      })),
      left: trusted ? names.filter(name => !listed.has(name)) : [],
    };
  };
}
