import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { eventually } from '../clusters/testing/eventually';
import { ManualTiming } from '../clusters/testing/ManualTiming';
import { scriptedServer, type ScriptedServer } from '../clusters/testing/scriptedServer';
import type { Measurement, Reading } from '../ports';
import type { MeasurerService } from './createMeasurer';
import type { PrometheusProvider } from './prometheus/measurePrometheus';
import { measurementOf, Measurers } from './testing/measurerSetup';
import {
  REAL_PROMETHEUS_MILLISECONDS,
  realPrometheus,
  type RealPrometheus,
} from './testing/realPrometheus';

jest.setTimeout(120_000);

/**
 * What a service says that has two versions: the new one fails once in ten, the
 * old one never, and nobody asks for the third. With a time a sample stays until
 * a newer one comes: a reading that a busy machine misses would end it otherwise.
 */
function exposition(startedAt: number, now: number): string {
  const asked = now - startedAt;
  const labels = (version: string, code: number) =>
    `{cluster="eu-1",namespace="shop",version="${version}",code="${code}"}`;
  return [
    `http_requests_total${labels('4.0.0', 200)} ${90 * asked}`,
    `http_requests_total${labels('4.0.0', 500)} ${10 * asked}`,
    `http_requests_total${labels('3.9.0', 200)} ${100 * asked}`,
    `http_requests_total${labels('3.8.0', 200)} 100`,
    'temperature -1.5',
  ]
    .map(sample => `${sample} ${now}\n`)
    .join('');
}

/** The measurement that the guide shows. */
async function errorRateOfGuide(): Promise<Omit<PrometheusProvider, 'kind'>> {
  const guide = await readFile(resolve(__dirname, '../../../../docs/metrics.md'), 'utf8');
  const [, example] = /```yaml\n(spec:\n {2}metrics:\n.*?)```/s.exec(guide) ?? [];
  return parse(example).spec.metrics[0].prometheus;
}

describe('a real Prometheus', () => {
  const measurers = new Measurers();
  let target: ScriptedServer;
  let prometheus: RealPrometheus;
  let metrics: object;
  let measurer: MeasurerService;

  beforeAll(async () => {
    const startedAt = Date.now();
    target = await scriptedServer((_, response) => {
      response.setHeader('content-type', 'text/plain; version=0.0.4');
      response.end(exposition(startedAt, Date.now()));
    });
    prometheus = await realPrometheus([target.url.replace('http://', '')]);
    metrics = { prometheus: { address: prometheus.address } };
    measurer = measurers.make(metrics);
    await eventually(
      'the target was read often enough for a rate',
      async () => {
        const reading = await read('min(count_over_time(http_requests_total[1m]))');
        return reading.result === 'value' && reading.value >= 2;
      },
      60_000,
    );
  }, REAL_PROMETHEUS_MILLISECONDS);

  afterAll(async () => {
    await measurers.close();
    await prometheus?.close();
    await target?.close();
  }, 60_000);

  function read(
    query: string,
    more: { countQuery?: string } = {},
    where: Partial<Measurement> = {},
  ): Promise<Reading> {
    const measurement = measurementOf({ kind: 'prometheus', query, ...more }, where);
    return measurer.measure(measurement, new AbortController().signal);
  }

  it.each([
    ['a gauge', 'temperature', -1.5],
    ['a scalar', 'scalar(temperature) * 2', -3],
    ['a number', '0.5', 0.5],
    [
      'what the new version does',
      'count(http_requests_total{namespace="{{namespace}}",version="{{version}}"})',
      2,
    ],
    ['what ran before', 'count(http_requests_total{version="{{stableVersion}}"})', 1],
    ['a rate without traffic', 'sum(rate(http_requests_total{version="3.8.0"}[{{window}}]))', 0],
    ['a query of 3,000 characters', `temperature ${'+ 0 '.repeat(750)}`, -1.5],
  ])('gives %s as a value', async (_, query, value) => {
    expect(await read(query)).toMatchObject({ result: 'value', value });
  });

  it('takes a window of milliseconds', async () => {
    const query = 'count_over_time(temperature[{{window}}]) > bool 0';
    expect(await read(query, {}, { windowMilliseconds: 61_234 })).toMatchObject({
      query: 'count_over_time(temperature[61234ms]) > bool 0',
      result: 'value',
      value: 1,
    });
  });

  it.each([
    ['series that nobody has', 'nothing_there', 'no series fits the query'],
    [
      'a share of no traffic',
      'sum(rate(http_requests_total{version="3.8.0"}[1m])) / sum(rate(http_requests_total{version="3.8.0"}[1m]))',
      'NaN',
    ],
    ['a scalar of nothing', 'scalar(nothing_there)', 'NaN'],
  ])('has no data for %s', async (_, query, message) => {
    expect(await read(query)).toMatchObject({
      result: 'noData',
      message: expect.stringContaining(message),
    });
  });

  it.each([
    ['a division by 0', 'sum(http_requests_total) / 0', /the value is \+Inf/],
    ['several series', 'http_requests_total', 'answered with 4 series; aggregate them'],
    ['a string', '"5"', 'answered with a string'],
    ['a range', 'temperature[1m]', 'answered with a matrix'],
    ['half a query', 'sum(', /answered 400: .*parse error: .*; correct the query$/],
    ['a function that is none', 'nope(up)', /answered 400: .*unknown function.*"nope"/],
    [
      'what Prometheus warns of',
      'quantile(0.5, up) * 0 + quantile(2, up)',
      /with a warning.*quantile/,
    ],
  ])('makes %s an error', async (_, query, message) => {
    const reading = await read(query);
    expect(reading).toMatchObject({ query, result: 'error' });
    expect(reading).toHaveProperty('message', expect.stringMatching(message));
  });

  it.each([
    ['with the number', 'sum(http_requests_total{version="3.8.0"})', 100],
    ['with 0 where there are no series', 'sum(nothing_there)', 0],
  ])('counts requests %s', async (_, countQuery, samples) => {
    expect(await read('temperature', { countQuery })).toEqual({
      query: 'temperature',
      result: 'value',
      value: -1.5,
      samples,
    });
  });

  it.each([
    ['4.0.0', 10],
    ['3.9.0', 0],
  ])('gives what the guide measures for %s', async (version, perCent) => {
    const { query, countQuery } = await errorRateOfGuide();
    const reading = await read(query, { countQuery }, { version });
    expect(reading).toMatchObject({ result: 'value', value: expect.closeTo(perCent, 6) });
    expect('samples' in reading && reading.samples).toBeGreaterThan(0);
  });

  it('compares what the guide measures with the version that ran before', async () => {
    const { query } = await errorRateOfGuide();
    expect(await read(query, {}, { comparison: { with: 'stable' } })).toMatchObject({
      value: expect.closeTo(10, 6),
      baseline: { result: 'value', value: 0, query: expect.stringContaining('version="3.9.0"') },
    });
  });

  it.each([
    ['now', () => Date.now(), { result: 'value', value: -1.5 }],
    ['long before anything was collected', () => Date.now() - 3_600_000, { result: 'noData' }],
  ])('is asked about the moment of a comparison: %s', async (_, at, baseline) => {
    const comparison = { with: 'before', at: at() } as const;
    expect(await read('temperature', {}, { comparison })).toMatchObject({ value: -1.5, baseline });
  });

  it('has no data where the guide measures a version without traffic, and counts no request', async () => {
    const { query, countQuery = '' } = await errorRateOfGuide();
    expect(await read(query, { countQuery }, { version: '3.8.0' })).toMatchObject({
      result: 'noData',
    });
    expect(await read(countQuery, {}, { version: '3.8.0' })).toMatchObject({ value: 0 });
  });

  it('says of a count that is wrong that it is the count', async () => {
    expect(await read('temperature', { countQuery: 'http_requests_total' })).toMatchObject({
      result: 'error',
      message: expect.stringMatching(/^countQuery: .*4 series/),
    });
  });

  it('that hangs is given up after 10 s, and read again once it goes on', async () => {
    const timing = new ManualTiming();
    const byHand = measurers.make(metrics, timing);
    const measurement = measurementOf({ kind: 'prometheus', query: 'temperature' });
    const { signal } = new AbortController();
    expect(await byHand.measure(measurement, signal)).toMatchObject({ result: 'value' });
    prometheus.freeze();
    try {
      const hanging = byHand.measure(measurement, signal);
      // By then its deadline is set.
      await new Promise(setImmediate);
      timing.advance(10_000);
      expect(await hanging).toMatchObject({
        result: 'error',
        message: expect.stringContaining('gave no complete answer within 10 s'),
      });
    } finally {
      prometheus.thaw();
    }
    expect(await byHand.measure(measurement, signal)).toMatchObject({ result: 'value' });
  });
});
