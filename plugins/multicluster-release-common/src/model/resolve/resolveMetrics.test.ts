import type { MetricGate } from '../release/gates';
import type { Metric } from '../template/metrics';
import { resolveMetrics } from './resolveMetrics';

const ERRORS: Metric = { name: 'error_rate', prometheus: { query: 'q' } };

function resolve(gate: MetricGate, metric: Metric = ERRORS) {
  return resolveMetrics([gate], [metric], 'metrics');
}

describe('resolveMetrics', () => {
  it('fills in the defaults', () => {
    expect(resolve({ name: 'error_rate', threshold: 1 })).toEqual({
      rules: [
        {
          name: 'error_rate',
          provider: { kind: 'prometheus', query: 'q' },
          limit: { max: 1 },
          intervalMilliseconds: 30_000,
          windowMilliseconds: 60_000,
          initialDelayMilliseconds: 60_000,
          failureLimit: 0,
          consecutiveErrorLimit: 4,
          noData: 'hold',
        },
      ],
      trouble: [],
    });
  });

  it('looks back at least one interval, counts requests where it can, and lets the gate say more', () => {
    const metric: Metric = {
      ...ERRORS,
      prometheus: { query: 'q', countQuery: 'c' },
      interval: '5m',
      max: 2,
    };
    expect(resolve({ name: 'error_rate' }, metric).rules).toMatchObject([
      { limit: { max: 2 }, windowMilliseconds: 300_000, minSamples: 20 },
    ]);
    const gate = { name: 'error_rate', interval: '10s', minSamples: 7, threshold: 3 };
    expect(resolve(gate, metric).rules).toMatchObject([
      { limit: { max: 3 }, intervalMilliseconds: 10_000, minSamples: 7 },
    ]);
  });

  it('takes the threshold as a lower limit where the measurement has one', () => {
    const ready: Metric = { name: 'ready', web: { url: 'https://ready.acme.io' }, min: 99 };
    expect(resolve({ name: 'ready', threshold: 95 }, ready).rules).toMatchObject([
      { limit: { min: 95 }, provider: { kind: 'web' } },
    ]);
  });

  it.each([
    ['50%', { percent: 50 }],
    ['250%', { percent: 250 }],
    [0.5, { by: 0.5 }],
  ])('reads how much higher than the other value it may be: %s', (maxIncrease, read) => {
    const metric: Metric = { ...ERRORS, max: 1, compare: { with: 'before', maxIncrease } };
    expect(resolve({ name: 'error_rate' }, metric).rules).toMatchObject([
      { limit: { max: 1 }, compare: { with: 'before', maxIncrease: read } },
    ]);
  });

  it('compares only what has an upper limit', () => {
    const metric: Metric = { ...ERRORS, min: 1, compare: { with: 'before', maxIncrease: '5%' } };
    expect(resolve({ name: 'error_rate' }, metric).trouble).toMatchObject([
      { path: 'metrics[0].name', message: expect.stringContaining('only min') },
    ]);
  });

  it.each([
    [{ name: 'eror_rate', threshold: 1 }, 'metrics[0].name', 'there are error_rate'],
    [{ name: 'error_rate' }, 'metrics[0].threshold', 'neither max nor min'],
    [{ name: 'error_rate', threshold: 1, minSamples: 5 }, 'metrics[0].minSamples', 'countQuery'],
  ])('names what leads nowhere: %j', (gate, path, message) => {
    const { trouble } = resolve(gate);
    expect(trouble).toMatchObject([{ path, message: expect.stringContaining(message) }]);
  });
});
