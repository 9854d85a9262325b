import { exampleRelease } from '../../testing';
import { nextNewer } from './nextNewer';

describe('nextNewer', () => {
  const [first, second, third] = [1, 2, 3].map(number =>
    exampleRelease({ id: `r-${number}`, createdAt: number }),
  );

  it.each([
    ['the one that came right after it', first, [third, second, first], 'r-2'],
    ['in any order', first, [second, first, third], 'r-2'],
    ['nothing after the newest', third, [third, second, first], undefined],
    ['nothing where none is known', first, [], undefined],
  ])('%s', (_name, release, releases, id) => {
    expect(nextNewer(release, releases)?.id).toBe(id);
  });
});
