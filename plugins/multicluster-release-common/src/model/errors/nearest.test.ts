import { nearest } from './nearest';

describe('nearest', () => {
  it.each([
    ['stepz', 'steps'],
    ['step', 'steps'],
    ['STEPS', 'steps'],
    ['setps', 'steps'],
    ['metric', 'metrics'],
    ['maxConcurency', 'maxConcurrency'],
    ['concurrency', 'maxConcurrency'],
    ['budget', undefined],
    ['a', undefined],
    ['x'.repeat(10_000), undefined],
  ])('of %s is %s', (word, candidate) => {
    expect(nearest(word, ['steps', 'metrics', 'maxConcurrency', 'pause'])).toBe(candidate);
  });
});
