import type { ClusterRegistry } from 'backstage-plugin-multicluster-release-node';
import type { ScopedCluster } from './stopScope';

/** What the fleet says of the clusters of one release. */
export interface FleetFacts {
  /** All of them; one that is not listed has neither region nor groups. */
  clusters: ScopedCluster[];
  /** Those that have not been listed for some minutes. */
  left: string[];
}

export type LookUpFleet = (names: string[]) => FleetFacts;

/**
 * One short listing proves nothing, and leaving is for good: the target is skipped,
 * and what was to be put back stays. Until then a missing cluster is one that does
 * not answer (the hands write nothing there).
 */
const LEFT_AFTER_MILLISECONDS = 5 * 60_000;

/**
 * Remembers since when clusters are missing, as this replica saw it: it looks at
 * every change of the list, whether or not a release asks. One that it never saw
 * counts from its first good list. Nobody has left while the list cannot be
 * trusted: an error is never an absence (C07).
 */
export function lookUpFleet(
  registry: Pick<ClusterRegistry, 'list' | 'onChange'>,
  now: () => number,
  leftAfterMilliseconds = LEFT_AFTER_MILLISECONDS,
): LookUpFleet {
  const seen = new Set<string>();
  const missingSince = new Map<string, number>();
  let firstListAt: number | undefined;

  const look = () => {
    const { clusters, stale, problem } = registry.list();
    const listed = new Map(clusters.map(cluster => [cluster.name, cluster]));
    const trusted = !stale && problem === undefined;
    if (trusted) {
      firstListAt ??= now();
      remember(listed);
    }
    return { listed, trusted };
  };
  const remember = (listed: ReadonlyMap<string, unknown>) => {
    for (const name of listed.keys()) {
      seen.add(name);
      missingSince.delete(name);
    }
    for (const name of seen) {
      if (!listed.has(name) && !missingSince.has(name)) {
        missingSince.set(name, now());
      }
    }
  };
  const isGone = (name: string) =>
    now() - (missingSince.get(name) ?? firstListAt ?? now()) >= leftAfterMilliseconds;

  // Else a release that comes to this replica late would find missing whom it never saw, and for how long it is up.
  look();
  registry.onChange(look);
  return names => {
    const { listed, trusted } = look();
    return {
      clusters: names.map(name => ({
        name,
        region: listed.get(name)?.region,
        groups: listed.get(name)?.groups ?? [],
      })),
      left: trusted ? names.filter(name => !listed.has(name) && isGone(name)) : [],
    };
  };
}
