import {
  combineListings,
  confirmEmptyListing,
  trustListing,
  type SourceAnswer,
  type SourceListing,
} from './trustListing';

const all = ['p1', 'p2', 'p3', 'p4'];

/** Field case C07; a partial answer comes as an error, for half a list is none. */
describe('trustListing', () => {
  const steps: { at: number; answer: SourceAnswer<string>; problem?: string; message?: RegExp }[] =
    [
      { at: 0, answer: { items: all } },
      {
        at: 60,
        answer: { error: 'timeout while listing' },
        problem: 'listing-failed',
        message: /timeout while listing/,
      },
      { at: 120, answer: { error: 'answered 403' }, problem: 'listing-failed', message: /403/ },
      {
        at: 180,
        answer: { error: 'second page failed' },
        problem: 'listing-failed',
        message: /second page/,
      },
      {
        at: 240,
        answer: { items: [] },
        problem: 'suddenly-empty',
        message: /4 of 4 clusters would be emptied/,
      },
      { at: 300, answer: { items: all } },
    ];

  it('keeps the last known clusters through errors and a sudden drop to zero', () => {
    let known: SourceListing<string> = { items: [] };
    for (const { at, answer, problem, message } of steps) {
      known = trustListing(known, answer, 'the inventory', at);
      expect({ at, items: known.items, problem: known.problem }).toEqual({
        at,
        items: all,
        problem,
      });
      expect(known.message ?? '').toMatch(message ?? /^$/);
      expect(combineListings([known]).stale).toBe(problem !== undefined);
    }
    expect(known.listedAt).toBe(300);
  });

  it('takes an empty list that a person confirmed, and only that', () => {
    const full = trustListing<string>({ items: [] }, { items: all }, 'the inventory', 0);
    const empty = trustListing(full, { items: [] }, 'the inventory', 1);
    expect(confirmEmptyListing(empty, 2)).toEqual({ items: [], listedAt: 2 });
    const failed = trustListing(full, { error: 'down' }, 'the inventory', 1);
    expect(confirmEmptyListing(failed, 2)).toBe(failed);
    expect(confirmEmptyListing(full, 2)).toBe(full);
  });

  it('takes a list that was always empty as it is', () => {
    expect(trustListing<string>({ items: [] }, { items: [] }, 'the inventory', 5)).toEqual({
      items: [],
      listedAt: 5,
    });
  });

  it('takes a shorter list as it is', () => {
    const full = trustListing<string>({ items: [] }, { items: all }, 'the inventory', 0);
    expect(trustListing(full, { items: ['p1'] }, 'the inventory', 1)).toEqual({
      items: ['p1'],
      listedAt: 1,
    });
  });
});

describe('combineListings', () => {
  const good: SourceListing<string> = { items: all, listedAt: 10 };
  const empty: SourceListing<string> = {
    items: all,
    listedAt: 5,
    problem: 'suddenly-empty',
    message: 'empty',
  };
  const failed: SourceListing<string> = { items: [], problem: 'listing-failed', message: 'down' };

  it.each([
    [
      'nothing to list',
      [],
      { stale: false, problem: undefined, message: undefined, listedAt: undefined },
    ],
    [
      'all good',
      [good, { ...good, listedAt: 7 }],
      { stale: false, problem: undefined, message: undefined, listedAt: 7 },
    ],
    [
      'one is empty',
      [good, empty],
      { stale: true, problem: 'suddenly-empty', message: 'empty', listedAt: 5 },
    ],
    [
      'one failed',
      [empty, failed],
      { stale: true, problem: 'listing-failed', message: 'empty; down', listedAt: undefined },
    ],
  ])('%s', (_, sources, expected) => {
    expect(combineListings(sources)).toEqual(expected);
  });
});
