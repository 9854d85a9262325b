import { satisfies } from 'semver';
import type { Dependency } from './types';

/** What runs of another service on a cluster; no version while its first release there is under way. */
export interface RunningThere {
  cluster: string;
  version?: string;
}

/**
 * The first cluster on which the other service does not run as it should for this
 * target; undefined where it runs everywhere that is asked for. `all` is every
 * cluster where it runs; where it runs nowhere, it is missing here.
 */
export function placeWithout(
  { version, on }: Dependency,
  cluster: string,
  running: RunningThere[],
): string | undefined {
  return placesOf(on, cluster, running).find(place => {
    const there = running.filter(record => record.cluster === place);
    return there.length === 0 || !there.every(record => isWanted(record.version, version));
  });
}

function placesOf(on: Dependency['on'], own: string, running: RunningThere[]): string[] {
  if (on === 'same') {
    return [own];
  }
  const known = running.map(({ cluster }) => cluster);
  return on === 'all' ? [...(known.length > 0 ? known : [own])] : on;
}

function isWanted(version: string | undefined, range: string | undefined): boolean {
  if (version === undefined) {
    return false;
  }
  return range === undefined || satisfies(version, range, { includePrerelease: true });
}

/**
 * The services that wait for each other in a ring, beginning and ending with the
 * first; undefined where its dependencies lead nowhere back to it.
 *
 * `a` needs `b`, `b` needs `a`: a, b, a.
 */
export function cycleFrom(
  first: string,
  dependsOn: ReadonlyMap<string, readonly string[]>,
): string[] | undefined {
  const seen = new Set<string>();
  const paths: string[][] = [[first]];
  for (let path = paths.shift(); path; path = paths.shift()) {
    for (const next of dependsOn.get(path[path.length - 1]) ?? []) {
      if (next === first) {
        return [...path, first];
      }
      if (!seen.has(next)) {
        seen.add(next);
        paths.push([...path, next]);
      }
    }
  }
  return undefined;
}
