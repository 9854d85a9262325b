import {
  highestBeside,
  isWithin,
  neededReadings,
  plannedReadings,
  type MetricComparison,
  type MetricRule,
} from './metrics';

const MINUTE = 60_000;

const RULE: MetricRule = {
  name: 'error_rate',
  provider: { kind: 'prometheus', query: 'errors' },
  limit: { max: 1 },
  intervalMilliseconds: 30_000,
  windowMilliseconds: MINUTE,
  initialDelayMilliseconds: MINUTE,
  failureLimit: 0,
  consecutiveErrorLimit: 4,
  noData: 'hold',
};

describe('readings of a measurement', () => {
  it.each<
    [name: string, changes: Partial<MetricRule>, pause: number, planned: number, need: number]
  >([
    ['as many as the pause has room for', {}, 5 * MINUTE, 9, 9],
    ['some of which may be bad', { failureLimit: 2 }, 5 * MINUTE, 9, 7],
    ['as many as the document says', { count: 3 }, 5 * MINUTE, 3, 3],
    ['one where the pause has no room', {}, 0, 1, 1],
    ['one good one, however many may be bad', { count: 2, failureLimit: 5 }, 0, 2, 1],
  ])('%s', (_name, changes, pause, planned, need) => {
    const rule = { ...RULE, ...changes };
    expect(plannedReadings(rule, pause)).toBe(planned);
    expect(neededReadings(rule, pause)).toBe(need);
  });

  it.each<[increase: MetricComparison['maxIncrease'], baseline: number, highest: number]>([
    [{ percent: 50 }, 4, 6],
    [{ percent: 200 }, 4, 12],
    [{ percent: 50 }, -4, -2],
    [{ percent: 50 }, 0, 0],
    [{ by: 0.5 }, 0, 0.5],
  ])('with %j above %d, up to %d is good', (maxIncrease, baseline, highest) => {
    expect(highestBeside({ with: 'stable', maxIncrease }, baseline)).toBe(highest);
  });

  it.each([
    [{ max: 1 }, 1, true],
    [{ max: 1 }, 1.01, false],
    [{ min: 99 }, 99, true],
    [{ min: 99 }, 98.9, false],
  ])('with %j, %d is good: %s', (limit, value, good) => {
    expect(isWithin(limit, value)).toBe(good);
  });
});
