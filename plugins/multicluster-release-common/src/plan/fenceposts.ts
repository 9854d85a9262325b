import type { Count } from './spec';

/** Pods above and below the wanted number while a workload is updated. */
export interface Fenceposts {
  surge: number;
  unavailable: number;
}

/**
 * What maxSurge and maxUnavailable come to for so many replicas: surge rounds up,
 * unavailable rounds down, and where both are zero one pod may be unavailable, or
 * nothing could ever move (field case C29).
 *
 * 5 replicas, 25 % and 25 %: 1.25 up to 2 above, 1.25 down to 1 below.
 */
export function fencepostsOf(
  replicas: number,
  { maxSurge, maxUnavailable }: { maxSurge: Count; maxUnavailable: Count },
): Fenceposts {
  const surge = podsOf(maxSurge, replicas, Math.ceil);
  const unavailable = Math.min(replicas, podsOf(maxUnavailable, replicas, Math.floor));
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

function podsOf(count: Count, replicas: number, round: (value: number) => number): number {
  return 'count' in count ? count.count : round((count.percent * replicas) / 100);
}

/** The count as a workload's manifest has it. */
export function intOrPercent(count: Count): number | string {
  return 'count' in count ? count.count : `${count.percent}%`;
}
