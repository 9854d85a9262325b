import {
  mayTakeDown,
  removableWithin,
  startableWithin,
  unavailableBound,
  type BoundedCluster,
} from './availability';
import type { Count } from './spec';

/** `a B c`: clusters by name, those in capitals are available. */
const clusters = (names: string): BoundedCluster[] =>
  names.split(' ').map(name => ({
    key: name.toLowerCase(),
    available: name !== name.toLowerCase(),
  }));
const keys = (list: BoundedCluster[]) => list.map(({ key }) => key).join(' ');

// Field case C28.
describe('the bound on unavailable clusters', () => {
  it.each<[string, string, number | undefined, string]>([
    ['a failed cluster does not block its own fix, and goes first', 'A B C D e', 1, 'e'],
    ['once it is repaired one of the others follows', 'A B C D E', 1, 'a'],
    ['two may be down, one is', 'A B C D e', 2, 'e a'],
    ['touching what is unavailable costs nothing', 'a b c D', 1, 'a b c'],
    ['0 starts only what is unavailable already', 'A B c', 0, 'c'],
    ['without a bound all start, the unavailable ones first', 'A b C', undefined, 'b a c'],
  ])('%s', (_name, all, bound, expected) => {
    expect(keys(startableWithin(clusters(all), clusters(all), bound))).toBe(expected);
  });

  it('counts one that is not ready and being removed', () => {
    expect(mayTakeDown(clusters('A B C d'), 1)).toBe(0);
  });

  it('counts those that do not wait any more', () => {
    expect(keys(startableWithin(clusters('A B'), clusters('A B c'), 1))).toBe('');
  });

  it('removes all where none shall remain', () => {
    const all = clusters('A b c');
    const bound = unavailableBound({ percent: 25 }, 0);
    expect(keys(removableWithin(all, all, { remaining: 0, bound }))).toBe('a b c');
    expect(keys(removableWithin(all, all, { remaining: 1, bound: 2 }))).toBe('b c');
  });

  it.each<[Count, number, number]>([
    [{ count: 1 }, 5, 1],
    [{ percent: 25 }, 5, 1],
    [{ percent: 10 }, 4, 1],
    [{ percent: 25 }, 0, 0],
    [{ count: 0 }, 5, 0],
    [{ count: 9 }, 5, 5],
  ])('%j of %i clusters is %i', (maxUnavailable, total, bound) => {
    expect(unavailableBound(maxUnavailable, total)).toBe(bound);
  });
});
