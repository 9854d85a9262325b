const MAX_DISTANCE = 3;

/**
 * The candidate that was probably meant: the same but for capitals, or with few
 * letters wrong (a third of the word, at most three), or one that begins so.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  if (wanted.length > 64) {
    return undefined;
  }
  let best: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates) {
    const other = candidate.toLowerCase();
    const begins =
      Math.min(wanted.length, other.length) >= 3 &&
      (other.startsWith(wanted) || wanted.startsWith(other));
    const isFar = Math.abs(wanted.length - other.length) > MAX_DISTANCE;
    if (isFar && !begins) {
      continue;
    }
    const distance = begins ? 1 : editDistance(wanted, other);
    if (distance < (best?.distance ?? Infinity)) {
      best = { candidate, distance };
    }
  }
  const allowed = Math.min(MAX_DISTANCE, Math.ceil(wanted.length / 3));
  return best && best.distance <= allowed ? best.candidate : undefined;
}

/** Insertions, deletions, replacements and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      current[column] = Math.min(
        last[column] + 1,
        current[column - 1] + 1,
        last[column - 1] + (same ? 0 : 1),
      );
      if (a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1] && row > 1 && column > 1) {
        current[column] = Math.min(current[column], beforeLast[column - 2] + 1);
      }
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length];
}
