import { halfOfSeeds, reportsOf } from './testSeeds';

describe('releases over a troubled fleet, second half of the seeds', () => {
  it('keeps every rule and ends', async () => {
    expect((await reportsOf(halfOfSeeds(1))).join('\n\n')).toBe('');
  }, 1_200_000);
});
