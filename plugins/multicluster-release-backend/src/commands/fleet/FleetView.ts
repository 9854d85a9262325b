import type { ScopedCluster } from '../../controls';
import { listPlaces, type Place } from '../../store';
import type { CommandContext } from '../CommandContext';

/** The fleet as orders see it: clusters of the list, and what our record says of them. */
export interface FleetView {
  clusters: ScopedCluster[];
  places: Place[];
}

/**
 * Also while the list of clusters is not to be trusted: an emergency is when
 * that is likely, and then the last known list counts.
 */
export async function readFleetView({
  database,
  registry,
}: Pick<CommandContext, 'database' | 'registry'>): Promise<FleetView> {
  const places = await listPlaces(database);
  const listed = registry
    .list()
    .clusters.map(({ name, region, groups = [] }) => ({ name, region, groups }));
  const names = new Set(listed.map(({ name }) => name));
  const left = [...new Set(places.map(({ cluster }) => cluster))]
    .filter(name => !names.has(name))
    .map(name => ({ name, groups: [] }));
  return { clusters: [...listed, ...left], places };
}
