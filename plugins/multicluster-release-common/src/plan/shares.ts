import type { Count } from './spec';

/**
 * How many of `total` clusters a batch or a concurrency bound takes: per cents
 * round down, but anything above 0 takes at least one, and never more than
 * there are; 0 holds (field case C29).
 *
 * 33 % of 10 → 3; 10 % of 4 → 1 (0.4 would hold for ever); 5 of 3 → 3; 0 → 0.
 */
export function countOf(count: Count, total: number): number {
  if ('count' in count) {
    return Math.min(count.count, total);
  }
  if (count.percent === 0) {
    return 0;
  }
  return Math.min(total, Math.max(1, Math.floor((count.percent * total) / 100)));
}

/** Splits into batches of an equal size to the end: 12 by 25 % → 3, 3, 3, 3. Size 0 gives none. */
export function equalBatches<T>(items: T[], size: Count): T[][] {
  const length = countOf(size, items.length);
  if (length === 0) {
    return [];
  }
  const batches: T[][] = [];
  for (let start = 0; start < items.length; start += length) {
    batches.push(items.slice(start, start + length));
  }
  return batches;
}

/**
 * Splits by cumulative shares: 10 items by 20 %, 50 %, 100 % → 2, 3, 5. A share
 * that is already reached gives an empty batch.
 */
export function cumulativeBatches<T>(items: T[], percents: number[]): T[][] {
  let reached = 0;
  return percents.map(percent => {
    const until = Math.max(reached, countOf({ percent }, items.length));
    const batch = items.slice(reached, until);
    reached = until;
    return batch;
  });
}
