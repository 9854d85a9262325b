import type { ListedClusters } from 'backstage-plugin-multicluster-release-node';
import { lookUpFleet } from './lookUpFleet';

const MINUTE = 60_000;
const FIVE_MINUTES = 5 * MINUTE;

/** One replica and its list, which cannot be read at first where no cluster is named; the clock starts at 0. */
function replica(...first: string[]) {
  let now = 0;
  let listing: Partial<ListedClusters> = {};
  let changed = () => {};
  const lists = (...names: string[]) => {
    listing = {
      clusters: names.map(name => ({ name, labels: {}, source: 'configuration' as const })),
    };
    changed();
  };
  if (first.length > 0) {
    lists(...first);
  } else {
    listing = { stale: true, problem: 'listing-failed' };
  }
  const lookUp = lookUpFleet(
    {
      list: () => ({ clusters: [], stale: false, listedAt: 1, ...listing }),
      onChange: callback => {
        changed = callback;
        return () => {};
      },
    },
    () => now,
  );
  return {
    lists: (at: number, ...names: string[]) => {
      now = at;
      lists(...names);
    },
    fails: () => {
      listing = { ...listing, clusters: [], stale: true, problem: 'listing-failed' };
      changed();
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
    lists(60 * MINUTE, 'a');
    expect(leftAt(61 * MINUTE, 'a', 'b')).toEqual([]);
    lists(61 * MINUTE, 'a', 'b');
    expect(leftAt(65 * MINUTE, 'a', 'b')).toEqual([]);
    lists(66 * MINUTE, 'a');
    expect(leftAt(70 * MINUTE, 'a', 'b')).toEqual([]);
  });

  it('is who has been missing for five minutes, whichever release asks', () => {
    const { lists, leftAt } = replica('a', 'b');
    leftAt(0, 'a', 'b');
    lists(MINUTE, 'a');
    leftAt(MINUTE, 'a');
    expect(leftAt(MINUTE + FIVE_MINUTES - 1, 'a', 'b')).toEqual([]);
    expect(leftAt(MINUTE + FIVE_MINUTES, 'a', 'b')).toEqual(['b']);
    lists(7 * MINUTE, 'a', 'b');
    expect(leftAt(7 * MINUTE, 'a', 'b')).toEqual([]);
  });

  it('counts from the start where this replica has never seen it', () => {
    const { leftAt } = replica('a');
    expect(leftAt(FIVE_MINUTES - 1, 'a', 'gone')).toEqual([]);
    expect(leftAt(FIVE_MINUTES, 'a', 'gone')).toEqual(['gone']);
  });

  it('is seen by a replica that no release has asked so far', () => {
    const { lists, leftAt } = replica('a', 'b');
    lists(60 * MINUTE, 'a');
    expect(leftAt(61 * MINUTE, 'a', 'b')).toEqual([]);
    expect(leftAt(65 * MINUTE, 'a', 'b')).toEqual(['b']);
  });

  it('counts anew for who was back in between, whoever asked meanwhile', () => {
    const { lists, leftAt } = replica('a', 'b');
    lists(MINUTE, 'a');
    leftAt(MINUTE, 'a', 'b');
    lists(4 * MINUTE, 'a', 'b');
    lists(5 * MINUTE, 'a');
    expect(leftAt(7 * MINUTE, 'a', 'b')).toEqual([]);
    expect(leftAt(10 * MINUTE, 'a', 'b')).toEqual(['b']);
  });

  it('counts from the first good list, not from the time in which there was none (C07)', () => {
    const { lists, leftAt } = replica();
    lists(60 * MINUTE, 'a');
    expect(leftAt(61 * MINUTE, 'a', 'b')).toEqual([]);
  });

  it('is nobody while the list cannot be read, and nobody at once afterwards (C07)', () => {
    const { lists, fails, leftAt } = replica('a', 'b');
    leftAt(0, 'a', 'b');
    fails();
    expect(leftAt(60 * MINUTE, 'a', 'b')).toEqual([]);
    lists(61 * MINUTE, 'a');
    expect(leftAt(61 * MINUTE, 'a', 'b')).toEqual([]);
    expect(leftAt(66 * MINUTE, 'a', 'b')).toEqual(['b']);
  });
});
