import type { StopScope } from 'backstage-plugin-multicluster-release-common';
import type { Fault } from '../errors';
import { normalServices, unknownNames, unknownServices, type FindServices } from './checkNames';
import type { FleetView } from './FleetView';

/** As it was sent: the contract has checked the types, and nothing more. */
export type GivenScope = Partial<Record<ListKind, string[]>> & { all?: boolean };

type ListKind = 'regions' | 'groups' | 'services' | 'clusters';

const LISTS: ListKind[] = ['regions', 'groups', 'services', 'clusters'];

/** The scope in its one normal form, with every fault of it. */
export async function readScope(
  given: GivenScope,
  fleet: FleetView,
  find: FindServices,
): Promise<{ scope: StopScope; faults: Fault[] }> {
  const kinds = LISTS.filter(kind => given[kind] !== undefined);
  if (kinds.length + (given.all ? 1 : 0) !== 1) {
    const message = `names ${
      kinds.length + (given.all ? 1 : 0)
    } kinds; give exactly one of all: true, ${LISTS.join(', ')}. A second kind is a second stop`;
    return { scope: { all: true }, faults: [{ code: 'InvalidScope', path: 'scope', message }] };
  }
  const [kind] = kinds;
  if (kind === undefined) {
    return { scope: { all: true }, faults: [] };
  }
  const path = `scope.${kind}`;
  const names = kind === 'services' ? normalServices(given[kind] ?? []) : given[kind] ?? [];
  const faults =
    names.length === 0
      ? [{ code: 'InvalidScope', path, message: 'is empty; name at least one' }]
      : await unknownOf(kind, names, fleet, find);
  return { scope: { [kind]: [...new Set(names)].sort() } as StopScope, faults };
}

async function unknownOf(
  kind: ListKind,
  names: string[],
  { clusters, places }: FleetView,
  find: FindServices,
): Promise<Fault[]> {
  const path = `scope.${kind}`;
  switch (kind) {
    case 'services':
      return unknownServices(names, path, {
        recorded: [...new Set(places.map(({ service }) => service))],
        find,
      });
    case 'regions': {
      const known = clusters.flatMap(({ region }) => region ?? []);
      return unknownNames({ names, path, what: 'Region', known });
    }
    case 'groups': {
      const known = clusters.flatMap(({ groups }) => groups);
      return unknownNames({ names, path, what: 'Group', known });
    }
    default:
      return unknownNames({
        names,
        path,
        what: 'Cluster',
        known: clusters.map(({ name }) => name),
      });
  }
}
