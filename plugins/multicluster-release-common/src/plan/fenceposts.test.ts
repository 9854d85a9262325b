import { parseCount } from '../model';
import { fencepostsOf } from './fenceposts';
import { countOf } from './shares';
import type { Count } from './spec';

const read = (text: number | string): Count => parseCount(text) ?? { count: -1 };

// Field case C29.
describe('fencepostsOf', () => {
  it.each<[number, number | string, number | string, number, number]>([
    [1, '25%', '25%', 1, 0],
    [3, 0, '25%', 0, 1],
    [5, '25%', '25%', 2, 1],
    [6, '25%', '25%', 2, 1],
    [10, '25%', '25%', 3, 2],
    [2, '1%', 0, 1, 0],
    [4, 0, '30%', 0, 1],
    [4, 0, 0, 0, 1],
    [3, 5, 9, 5, 3],
  ])(
    '%i replicas, maxSurge %s, maxUnavailable %s: %i above, %i below',
    (replicas, maxSurge, maxUnavailable, surge, unavailable) => {
      expect(
        fencepostsOf(replicas, { maxSurge: read(maxSurge), maxUnavailable: read(maxUnavailable) }),
      ).toEqual({ surge, unavailable });
    },
  );

  it.each<[number, number | string, number]>([
    [4, '10%', 1],
    [10, '33%', 3],
    [7, '100%', 7],
    [7, 0, 0],
    [3, 5, 3],
  ])('of %i clusters a batch of %s takes %i', (clusters, batch, size) => {
    expect(countOf(read(batch), clusters)).toBe(size);
  });

  it.each(['-1', '12.5%', '101%', 'ten', ''])('refuses %j', text => {
    expect(parseCount(text)).toBeUndefined();
  });
});
