import type { MetricComparison, MetricRule } from 'backstage-plugin-multicluster-release-common';
import type { Reading, SingleReading } from 'backstage-plugin-multicluster-release-node';
import { judge } from './judge';

const STABLE: MetricComparison = { with: 'stable', maxIncrease: { percent: 50 } };
const BEFORE: MetricComparison = { with: 'before', maxIncrease: { by: 0.5 } };

const RULE: MetricRule = {
  name: 'error_rate',
  provider: { kind: 'prometheus', query: 'errors' },
  unit: '%',
  limit: { max: 5 },
  intervalMilliseconds: 1,
  windowMilliseconds: 1,
  initialDelayMilliseconds: 1,
  failureLimit: 0,
  consecutiveErrorLimit: 4,
  noData: 'hold',
};

const value = (number: number, samples?: number): SingleReading => ({
  query: 'q',
  result: 'value',
  value: number,
  samples,
});
const EMPTY: SingleReading = { query: 'q', result: 'noData', message: 'no series' };
const BROKEN: SingleReading = { query: 'q', result: 'error', message: 'answered 503' };
const beside = (reading: SingleReading, baseline?: SingleReading): Reading => ({
  ...reading,
  baseline,
});

describe('judge', () => {
  it.each<[name: string, rule: Partial<MetricRule>, reading: Reading, verdict: object]>([
    ['at the limit', {}, value(5), { result: 'good' }],
    ['above the limit', {}, value(5.1), { result: 'bad' }],
    [
      'with too few requests',
      { minSamples: 20 },
      value(0, 19),
      { result: 'noData', message: '19 requests in the window, and 20 are needed' },
    ],
    ['without data', {}, EMPTY, { result: 'noData', message: 'no series' }],
    ['without data, which passes', { noData: 'pass' }, EMPTY, { result: 'good' }],
  ])('takes a value %s by the limit', (_name, rule, reading, verdict) => {
    expect(judge({ ...RULE, ...rule }, reading)).toMatchObject(verdict);
  });

  it.each<[name: string, compare: MetricComparison, own: number, other: number, verdict: object]>([
    [
      'exactly as much higher as it may be',
      STABLE,
      0.6,
      0.4,
      { result: 'good', message: 'at most 0.6% beside 0.4% of the stable version now' },
    ],
    ['higher than it may be', STABLE, 0.61, 0.4, { result: 'bad' }],
    ['lower than the other one', STABLE, 0.1, 0.4, { result: 'good' }],
    ['above zero beside zero, by per cents', STABLE, 0.01, 0, { result: 'bad' }],
    [
      'a little above zero beside zero, by a number',
      BEFORE,
      0.5,
      0,
      { result: 'good', message: 'at most 0.5% beside 0% of before the stage began' },
    ],
    ['beyond its limit, beside one that is as high', STABLE, 6, 6, { result: 'bad' }],
  ])('takes a value %s', (_name, compare, own, other, verdict) => {
    expect(judge({ ...RULE, compare }, beside(value(own), value(other)))).toMatchObject(verdict);
  });

  it.each<
    [name: string, rule: Partial<MetricRule>, baseline: SingleReading | undefined, result: string]
  >([
    ['has no data', {}, EMPTY, 'noData'],
    ['has no data, also where that passes', { noData: 'pass' }, EMPTY, 'noData'],
    ['could not be read', {}, BROKEN, 'error'],
    ['was not read', {}, undefined, 'noData'],
    ['comes from too few requests', { minSamples: 20 }, value(1, 3), 'noData'],
  ])('never takes a value as good where the other one %s', (_name, rule, baseline, result) => {
    const reading = beside(value(0.1, 100), baseline);
    expect(judge({ ...RULE, compare: STABLE, ...rule }, reading)).toMatchObject({
      result,
      message: expect.stringContaining('the value of the stable version now is not known: '),
    });
  });

  it('takes a value beyond its limit as bad, whatever it would be compared with', () => {
    expect(judge({ ...RULE, compare: STABLE }, beside(value(6), BROKEN)).result).toBe('bad');
  });
});
