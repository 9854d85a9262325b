import { countOf, cumulativeBatches, equalBatches } from './shares';

const items = (length: number) => Array.from({ length }, (_, index) => index);

describe('countOf', () => {
  // Field case C29, table clusterBatch.
  it.each([
    [4, { percent: 10 }, 1],
    [10, { percent: 33 }, 3],
    [7, { percent: 100 }, 7],
    [7, { count: 0 }, 0],
    [7, { percent: 0 }, 0],
    [3, { count: 5 }, 3],
  ])('of %i clusters %j is %i', (clusters, count, size) => {
    expect(countOf(count, clusters)).toBe(size);
  });
});

describe('equalBatches', () => {
  it('counts for a small fleet too: 12 by 25 % are four threes (C50)', () => {
    expect(equalBatches(items(12), { percent: 25 }).map(batch => batch.length)).toEqual([
      3, 3, 3, 3,
    ]);
  });

  it('puts what is left into a last, smaller batch', () => {
    expect(equalBatches(items(7), { count: 3 }).map(batch => batch.length)).toEqual([3, 3, 1]);
  });

  it('holds at 0', () => {
    expect(equalBatches(items(7), { count: 0 })).toEqual([]);
  });
});

describe('cumulativeBatches', () => {
  it('takes shares as cumulative', () => {
    expect(cumulativeBatches(items(10), [20, 50, 100]).map(batch => batch.length)).toEqual([
      2, 3, 5,
    ]);
  });

  it('leaves a share empty that is reached already', () => {
    expect(cumulativeBatches(items(3), [10, 30, 100]).map(batch => batch.length)).toEqual([
      1, 0, 2,
    ]);
  });
});
