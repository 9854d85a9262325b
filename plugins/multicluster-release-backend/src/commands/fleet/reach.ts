import type { Reach, StopScope } from 'backstage-plugin-multicluster-release-common';
import { stopNamesCluster, stopReaches, type ScopedCluster } from '../../controls';
import type { Place } from '../../store';
import type { FleetView } from './FleetView';

/** Services on clusters that a stop reaches. */
export function reachedPlaces(scope: StopScope, { clusters, places }: FleetView): Place[] {
  const byName = new Map(clusters.map(cluster => [cluster.name, cluster]));
  const clusterOf = (name: string): ScopedCluster => byName.get(name) ?? { name, groups: [] };
  return places.filter(({ service, cluster }) => stopReaches(scope, service, clusterOf(cluster)));
}

/** How far a stop goes. One of services reaches the clusters where they are. */
export function measureReach(scope: StopScope, fleet: FleetView): Reach {
  const reached = reachedPlaces(scope, fleet);
  const clusters =
    'services' in scope
      ? new Set(reached.map(({ cluster }) => cluster)).size
      : fleet.clusters.filter(cluster => stopNamesCluster(scope, cluster)).length;
  return {
    services: new Set(reached.map(({ service }) => service)).size,
    clusters,
    releases: releasesOf(reached).length,
  };
}

/** Ids of the releases that have work left there. */
export function releasesOf(places: Place[]): string[] {
  return [...new Set(places.flatMap(({ releaseId }) => releaseId ?? []))];
}
