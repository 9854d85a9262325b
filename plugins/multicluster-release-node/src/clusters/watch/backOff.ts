const FIRST_MILLISECONDS = 2_000;
const LONGEST_MILLISECONDS = 30_000;

/**
 * How long to wait before the next try. Doubles from 2 s to 30 s; chance takes
 * up to a quarter off, so that the watches of many clusters do not come back together.
 * One try is a list and at most one watch: with failures from the start they
 * come at about 0, 2, 6, 14, 30 and 60 s, which is at most 12 requests in any
 * minute, chance included (C22).
 *
 * @param failures - tries in a row that brought nothing, from 1
 * @param random - from 0 (inclusive) to 1
 */
export function backOffMilliseconds(failures: number, random: number): number {
  const full = Math.min(LONGEST_MILLISECONDS, FIRST_MILLISECONDS * 2 ** (failures - 1));
  return Math.round(full * (1 - random / 4));
}
