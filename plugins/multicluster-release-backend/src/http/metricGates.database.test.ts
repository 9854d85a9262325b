import request from 'supertest';
import { describeOnEachDatabase } from '../store/__testUtils__/eachDatabase';
import { createBench, SERVICE, type Bench } from './__testUtils__/bench';
import { sampleRelease, sampleTemplate } from './__testUtils__/documents';
import { until } from './__testUtils__/until';

// A database of its own for each test, and the real router: slow where the machine is busy.
jest.setTimeout(60_000);

const START = `/releases?service=${SERVICE}`;
const PROMETHEUS = { query: 'errors{namespace="{{namespace}}"}' };

/** Every second, from the start; two readings in two seconds. */
const ERROR_RATE = {
  name: 'error_rate',
  prometheus: PROMETHEUS,
  unit: '%',
  interval: '1s',
  window: '1s',
  initialDelay: '0s',
  count: 2,
};

function documents(
  metric: object = ERROR_RATE,
  gate: object = { name: 'error_rate', threshold: 1 },
) {
  const steps = [{ clusters: ['cluster-a'], pause: '1s', metrics: [gate] }];
  const template = sampleTemplate() as { spec: object };
  return [
    sampleRelease({ strategy: { type: 'Canary', canary: { steps } } }),
    { ...template, spec: { ...template.spec, metrics: [metric] } },
  ];
}

describeOnEachDatabase('metric gates over HTTP', open => {
  let bench: Bench;

  beforeEach(async () => {
    bench = createBench({ database: await open() });
    bench.engine.start();
  });

  afterEach(() => bench.stop());

  const send = (url: string, body: object) => request(bench.app).post(url).send(body);
  const read = async (id: string) =>
    (await request(bench.app).get(`/releases/${id}`).expect(200)).body;
  const reach = (
    id: string,
    done: (release: { state: string; waiting: { code: string }[] }) => boolean,
  ) => until(() => read(id), done);
  const start = async () => (await send(START, documents()).expect(201)).body.id as string;
  const readings = async (id: string, query = '') =>
    (await request(bench.app).get(`/releases/${id}/measurements${query}`).expect(200)).body.items;

  it('say at preview what each measurement reads now, and write nothing', async () => {
    bench.measurer.says.set('cluster-a', { result: 'value', value: 0.3 } as never);
    const { body } = await send(`${START}&dryRun=true`, documents()).expect(200);
    expect(body.findings).toContainEqual(
      expect.objectContaining({
        severity: 'info',
        code: 'MetricRead',
        cluster: 'cluster-a',
        message: 'error_rate reads 0.3% now, and must be at most 1%.',
      }),
    );
    expect(bench.measurer.asked).toMatchObject([
      { cluster: 'cluster-a', namespace: 'production', version: '1.0.0', windowMilliseconds: 1000 },
    ]);
  });

  it.each([
    [{ result: 'value', value: 3 }, 'warning', 'MetricBadNow'],
    [{ result: 'noData', message: 'no series' }, 'info', 'MetricWithoutData'],
    [{ result: 'error', message: 'bad query' }, 'warning', 'MetricUnreadable'],
  ])('say at preview what stands against them: %j', async (reading, severity, code) => {
    bench.measurer.says.set('cluster-a', reading as never);
    const { body, status } = await send(`${START}&dryRun=true`, documents());
    if (status !== 200) throw new Error(JSON.stringify(body));
    expect(body.findings).toContainEqual(expect.objectContaining({ severity, code }));
  });

  it('let a release go on where all is good, and keep every reading with its query', async () => {
    const id = await start();
    await reach(id, ({ state }) => state === 'Succeeded');
    const items = await readings(id);
    expect(items.length).toBeGreaterThanOrEqual(2);
    expect(items[0]).toMatchObject({
      stage: 0,
      cluster: 'cluster-a',
      namespace: 'production',
      metric: 'error_rate',
      result: 'good',
      value: 0,
      query: PROMETHEUS.query,
    });
    const [{ gate }] = items;
    expect(await readings(id, `?gate=${gate}&limit=1`)).toEqual([items.at(-1)]);
    expect(await readings(id, `?before=${items[1].id}`)).toEqual([items[0]]);
    expect(await readings(id, '?gate=9.9')).toEqual([]);
  });

  it('send a release back by themselves, and name value and limit', async () => {
    bench.measurer.says.set('cluster-a', { result: 'value', value: 7 } as never);
    const id = await start();
    await reach(id, ({ state }) => state === 'RolledBack');
    expect(bench.hands.writtenClusters()).toEqual(['cluster-a']);
    const { body } = await request(bench.app).get(`/releases/${id}/events`).expect(200);
    const told = body.items.map(({ message }: { message: string }) => message).join('\n');
    expect(told).toContain('error_rate is 7%, and must be at most 1%');
    expect(await readings(id)).toMatchObject([{ result: 'bad', value: 7 }]);
  });

  describe('that compare with the stable version', () => {
    const compared = (value: number, baseline: object) =>
      bench.measurer.says.set('cluster-a', {
        ...{ result: 'value', value },
        baseline: { query: 'errors{version="0.9.0"}', ...baseline },
      } as never);
    const COMPARED = {
      ...ERROR_RATE,
      prometheus: { query: 'errors{version="{{version}}"}' },
      compare: { with: 'stable', maxIncrease: '50%' },
    };

    it('keep both readings with their queries', async () => {
      compared(0.5, { result: 'value', value: 0.4 });
      const { body } = await send(START, documents(COMPARED)).expect(201);
      await reach(body.id, ({ state }) => state === 'Succeeded');
      expect(bench.measurer.asked.at(-1)).toMatchObject({ comparison: { with: 'stable' } });
      expect((await readings(body.id))[0]).toMatchObject({
        ...{ result: 'good', value: 0.5, query: COMPARED.prometheus.query },
        ...{ baseline: 0.4, baselineQuery: 'errors{version="0.9.0"}' },
        message: 'at most 0.6% beside 0.4% of the stable version now',
      });
    });

    it.each([
      [{ result: 'value', value: 0.1 }, 'warning', 'MetricBadNow', 'now is 0.1%.'],
      [{ result: 'value', value: 0.4 }, 'info', 'MetricRead', 'now is 0.4%.'],
      [{ result: 'noData', message: 'no series' }, 'info', 'MetricRead', 'nothing is good'],
      [{ result: 'error', message: 'no' }, 'warning', 'MetricUnreadable', 'compared with could'],
    ])(
      'say at preview what they are compared with: %j',
      async (baseline, severity, code, words) => {
        compared(0.5, baseline);
        const { body } = await send(`${START}&dryRun=true`, documents(COMPARED)).expect(200);
        const message = expect.stringContaining(words);
        expect(body.findings).toContainEqual(expect.objectContaining({ severity, code, message }));
      },
    );
  });

  it('say at preview that a value beyond its limit is bad, also where nothing can be compared', async () => {
    bench.measurer.says.set('cluster-a', {
      ...{ result: 'value', value: 5 },
      baseline: { result: 'error', message: 'no' },
    } as never);
    const compare = { with: 'stable', maxIncrease: '50%' };
    const metric = { ...ERROR_RATE, prometheus: { query: 'e{v="{{version}}"}' }, compare };
    const { body } = await send(`${START}&dryRun=true`, documents(metric)).expect(200);
    expect(body.findings).toContainEqual(
      expect.objectContaining({ severity: 'warning', code: 'MetricBadNow' }),
    );
  });

  it('ask a person where nothing can be read, who may let the gate go', async () => {
    bench.measurer.says.set('cluster-a', { result: 'error', message: 'no answer' } as never);
    const id = await start();
    const waits = await reach(id, ({ waiting }) => waiting[0]?.code === 'metric.undecided');
    expect(waits).toMatchObject({ state: 'Waiting', actions: { 'skip-gate': { allowed: true } } });
    await send(`/releases/${id}/skip-gate`, { reason: 'Prometheus is being moved' }).expect(200);
    await reach(id, ({ state }) => state === 'Succeeded');
  });

  it.each([
    [ERROR_RATE, { name: 'eror_rate', threshold: 1 }, 'steps[0].metrics[0].name'],
    [ERROR_RATE, { name: 'error_rate' }, 'steps[0].metrics[0].threshold'],
    [
      { ...ERROR_RATE, compare: { with: 'otherClusters', maxIncrease: '50%' } },
      undefined,
      'compare.with',
    ],
    [{ ...ERROR_RATE, compare: { with: 'stable', maxIncrease: '50%' } }, undefined, 'compare.with'],
  ])('refuse what leads nowhere, with its place: %#', async (metric, gate, place) => {
    const { body } = await send(`${START}&dryRun=true`, documents(metric, gate)).expect(400);
    expect(body.error.details[0].path).toContain(place);
  });
});
