import { sameJson } from './json';

describe('sameJson', () => {
  it.each<[string, unknown, unknown, boolean]>([
    ['another order of keys', { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }, true],
    ['undefined and absent', { a: 1, b: undefined }, { a: 1 }, true],
    ['two undefined values', undefined, undefined, true],
    ['undefined and an object', undefined, {}, false],
    ['another value', { a: [1, 2] }, { a: [1, 3] }, false],
    ['another order of items', [1, 2], [2, 1], false],
    ['a key more', { a: 1 }, { a: 1, b: 0 }, false],
  ])('compares %s', (_name, left, right, same) => {
    expect(sameJson(left, right)).toBe(same);
    expect(sameJson(right, left)).toBe(same);
  });
});
