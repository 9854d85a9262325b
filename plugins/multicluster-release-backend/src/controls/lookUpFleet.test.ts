import type { ListedClusters } from 'backstage-plugin-multicluster-release-node';
import { lookUpFleet } from './lookUpFleet';

const MINUTE = 60_000;
const FIVE_MINUTES = 5 * MINUTE;

/** One replica and its list; the clock starts at 0. */
function replica(...first: string[]) {
  let now = 0;
  let listing: Partial<ListedClusters> = {};
  const lists = (...names: string[]) => {
    listing = {
      clusters: names.map(name => ({ name, labels: {}, source: 'configuration' as const })),
    };
  };
  lists(...first);
  const lookUp = lookUpFleet(
    { list: () => ({ clusters: [], stale: false, listedAt: 1, ...listing }) },
    () => now,
  );
  return {
    lists,
    fails: () => {
      listing = { ...listing, clusters: [], stale: true, problem: 'listing-failed' };
    },
    leftAt: (at: number, ...names: string[]) => {
      now = at;
      return lookUp(names).left;
    },
  };
}

describe('who has left the fleet', () => {
  it('is nobody for a single short listing', () => {
    const { lists, leftAt } = replica('a', 'b');
    expect(leftAt(60 * MINUTE, 'a', 'b')).toEqual([]);
    lists('a');
    expect(leftAt(61 * MINUTE, 'a', 'b')).toEqual([]);
    lists('a', 'b');
    expect(leftAt(65 * MINUTE, 'a', 'b')).toEqual([]);
    lists('a');
    expect(leftAt(70 * MINUTE, 'a', 'b')).toEqual([]);
  });

  it('is who has been missing for five minutes, whichever release asks', () => {
    const { lists, leftAt } = replica('a', 'b');
    leftAt(0, 'a', 'b');
    lists('a');
    leftAt(MINUTE, 'a');
    expect(leftAt(MINUTE + FIVE_MINUTES - 1, 'a', 'b')).toEqual([]);
    expect(leftAt(MINUTE + FIVE_MINUTES, 'a', 'b')).toEqual(['b']);
    lists('a', 'b');
    expect(leftAt(7 * MINUTE, 'a', 'b')).toEqual([]);
  });

  it('counts from the start where this replica has never seen it', () => {
    const { leftAt } = replica('a');
    expect(leftAt(FIVE_MINUTES - 1, 'a', 'gone')).toEqual([]);
    expect(leftAt(FIVE_MINUTES, 'a', 'gone')).toEqual(['gone']);
  });

  it('is nobody while the list cannot be read, and nobody at once afterwards (C07)', () => {
    const { lists, fails, leftAt } = replica('a', 'b');
    leftAt(0, 'a', 'b');
    fails();
    expect(leftAt(60 * MINUTE, 'a', 'b')).toEqual([]);
    lists('a');
    expect(leftAt(61 * MINUTE, 'a', 'b')).toEqual([]);
    expect(leftAt(66 * MINUTE, 'a', 'b')).toEqual(['b']);
  });
});
