import { countOf } from './shares';
import type { Count } from './spec';

/** A cluster as the bound on unavailability sees it. */
export interface BoundedCluster {
  key: string;
  /** Healthy, and not about to be taken away. */
  available: boolean;
}

/** `maxUnavailable` as a number of clusters: per cents as for batches (C29); none of none. */
export function unavailableBound(maxUnavailable: Count, clusters: number): number {
  return countOf(maxUnavailable, clusters);
}

/**
 * How many clusters that are available our action may take down now: the bound
 * less everything that is unavailable, for whatever reason (field case C28).
 */
export function mayTakeDown(all: BoundedCluster[], bound: number): number {
  return Math.max(0, bound - all.filter(({ available }) => !available).length);
}

/**
 * Which of the waiting clusters may be started, in the order in which they
 * should be: those that are unavailable already cost nothing and go first, so
 * that a broken cluster cannot hold up the version that repairs it; the others
 * follow as far as the bound goes (field case C28).
 *
 * 5 clusters, E unavailable, bound 1: E alone; once E is available, one of the others.
 */
export function startableWithin<T extends BoundedCluster>(
  waiting: T[],
  all: BoundedCluster[],
  bound: number | undefined,
): T[] {
  const broken = waiting.filter(({ available }) => !available);
  const working = waiting.filter(({ available }) => available);
  return [
    ...broken,
    ...(bound === undefined ? working : working.slice(0, mayTakeDown(all, bound))),
  ];
}

/** Which clusters may be taken out of service: where none shall remain nothing holds any of them back (C28). */
export function removableWithin<T extends BoundedCluster>(
  leaving: T[],
  all: BoundedCluster[],
  { remaining, bound }: { remaining: number; bound: number | undefined },
): T[] {
  return remaining === 0 ? leaving : startableWithin(leaving, all, bound);
}
