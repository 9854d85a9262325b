/*
 * Weights where nothing routes: a Service spreads over all ready pods alike, so the
 * part of the traffic that the new version gets is its part of the pods.
 */

/** So many pods of the new version and of the running one. */
export interface PodSplit {
  canary: number;
  stable: number;
}

export interface PodRoom {
  /** Pods that the workload shall have. */
  replicas: number;
  /** Pods above that number that there may be, resolved (see fencepostsOf). */
  surge: number;
}

/**
 * The split that comes nearest to a weight, with never more pods than replicas and
 * surge, and never fewer than replicas (field case C29). Of equally near ones that
 * with fewer pods, then that with more of the new version. Both versions have a pod
 * wherever two may run: without a new one there would be nothing to watch.
 *
 * 3 pods at 50 %: 2 and 1, as near as 1 and 2. 3 pods and 1 above at 10 %: 1 and 3, which is 25 %.
 */
export function podCounts(room: PodRoom, weight: number): PodSplit {
  return nearest(splits(room), weight) ?? { canary: 0, stable: 0 };
}

/**
 * The same where an autoscaler sets the number of the running version, which is
 * left alone: new pods come on top of it, as far as the surge goes; at least one
 * where there is room for any.
 */
export function podCountsBeside({ replicas, surge }: PodRoom, weight: number): PodSplit {
  return nearest(splitsBeside({ replicas, surge }), weight) ?? { canary: 0, stable: replicas };
}

/** Per cent of the pods that are of the new version, rounded. */
export function weightOf({ canary, stable }: PodSplit): number {
  const total = canary + stable;
  return total === 0 ? 0 : Math.round((100 * canary) / total);
}

/** 1 of 3 pods is 33 %: less than one point beside is no other weight. */
export function isWeight({ canary, stable }: PodSplit, weight: number): boolean {
  const total = canary + stable;
  return canary > 0 && Math.abs(100 * canary - weight * total) < total;
}

/** The weights nearest to one that cannot be reached, growing; empty where none can. */
export function weightsNear(
  room: PodRoom,
  weight: number,
  { autoscaled }: { autoscaled: boolean },
): number[] {
  const all = autoscaled ? splitsBeside(room) : splits(room);
  const weights = new Set(
    all.filter(({ canary, stable }) => canary > 0 && stable > 0).map(weightOf),
  );
  return [...weights]
    .sort((a, b) => Math.abs(a - weight) - Math.abs(b - weight) || a - b)
    .slice(0, WEIGHTS_TOLD)
    .sort((a, b) => a - b);
}

const WEIGHTS_TOLD = 3;

/** Fewer pods first, then more of the new version first. */
function splits({ replicas, surge }: PodRoom): PodSplit[] {
  if (replicas === 0) {
    return [];
  }
  const all: PodSplit[] = [];
  for (let total = replicas; total <= replicas + surge; total += 1) {
    for (let canary = total; canary >= 0; canary -= 1) {
      all.push({ canary, stable: total - canary });
    }
  }
  const mixed = all.filter(({ canary, stable }) => canary > 0 && stable > 0);
  return mixed.length > 0 ? mixed : all;
}

function splitsBeside({ replicas, surge }: PodRoom): PodSplit[] {
  return replicas === 0
    ? []
    : Array.from({ length: surge }, (_, index) => ({ canary: index + 1, stable: replicas }));
}

/** The first of the nearest; undefined where there is none at all. */
function nearest(all: PodSplit[], weight: number): PodSplit | undefined {
  return all.reduce<PodSplit | undefined>(
    (best, split) => (best === undefined || isNearer(split, best, weight) ? split : best),
    undefined,
  );
}

/** In whole numbers, so that what is equally near is not told apart by rounding. */
function isNearer(split: PodSplit, than: PodSplit, weight: number): boolean {
  const [total, other] = [split.canary + split.stable, than.canary + than.stable];
  return (
    Math.abs(100 * split.canary - weight * total) * other <
    Math.abs(100 * than.canary - weight * other) * total
  );
}
