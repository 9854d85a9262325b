import type { MeasurementView } from 'backstage-plugin-multicluster-release-common';

const PAGE_SIZE = 500;
const MOST_PAGES = 4;

/** More readings of a gate than these are not kept: it may guard for days. */
export const MOST_READINGS = PAGE_SIZE * MOST_PAGES;

export type ReadPage = (query: { before?: number; limit: number }) => Promise<MeasurementView[]>;

/**
 * Readings that are known, and those that have come since; oldest first. Where
 * nothing has come, the very same list, so that a page that polls draws nothing anew.
 */
export async function readNewer(
  readPage: ReadPage,
  known: MeasurementView[],
): Promise<MeasurementView[]> {
  const newest = known.at(-1)?.id ?? 0;
  const found: MeasurementView[] = [];
  let before: number | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const items = await readPage({ before, limit: PAGE_SIZE });
    const fresh = items.filter(({ id }) => id > newest);
    found.unshift(...fresh);
    if (fresh.length < PAGE_SIZE) {
      return found.length > 0 ? [...known, ...found].slice(-MOST_READINGS) : known;
    }
    before = items[0].id;
  }
  // There is a hole between these and what was known, which a chart would not show.
  return found;
}
