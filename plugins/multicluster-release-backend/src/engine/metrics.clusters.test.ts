import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ReleaseRun } from '../decide';
import { listMeasurements } from '../store';
import {
  REAL_PROMETHEUS_MILLISECONDS,
  realPrometheus,
  type RealPrometheus,
} from '../testing/realPrometheus';
import { states, waitsAt, waitsFor } from '../testing/runs';
import { canary } from '../testing/samples';
import type { Scene } from '../testing/scene';
import { suiteOnRealClusters } from '../testing/suiteOnRealClusters';

const CLUSTERS = ['gauge-a', 'gauge-b'];
const [A, B] = CLUSTERS;
const NEW = ['2.0.0', '2.0.0'];
const OLD = ['1.0.0', '1.0.0'];

const QUERY = 'error_rate{cluster="{{cluster}}",namespace="{{namespace}}",version="{{version}}"}';
const METRICS = [
  {
    name: 'error_rate',
    unit: '%',
    ...{ interval: '1s', window: '1s', initialDelay: '1s' },
    prometheus: { query: QUERY },
  },
];
const GATE = { name: 'error_rate', threshold: 1 };

/** Says what each version does on each cluster; a gauge that nobody set is not there. */
class Gauges {
  private readonly values = new Map<string, number>();
  private readonly server: Server = createServer((_, response) => {
    const lines = [...this.values].map(([labels, value]) => `error_rate{${labels}} ${value}\n`);
    response.setHeader('content-type', 'text/plain; version=0.0.4');
    response.end(lines.join(''));
  });

  set(cluster: string, { namespace }: Scene, value: number, version = '2.0.0'): void {
    const labels = `cluster="${cluster}",namespace="${namespace}",version="${version}"`;
    this.values.set(labels, value);
  }

  async listen(): Promise<string> {
    await new Promise<void>(done => this.server.listen(0, '127.0.0.1', done));
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

describe('metric gates on real clusters, read from a real Prometheus', () => {
  const gauges = new Gauges();
  let prometheus: RealPrometheus;

  beforeAll(async () => {
    prometheus = await realPrometheus(await gauges.listen());
  }, REAL_PROMETHEUS_MILLISECONDS);

  afterAll(async () => {
    await prometheus?.close();
    gauges.close();
  });

  const { inScene } = suiteOnRealClusters({
    names: CLUSTERS,
    prefix: 'gauge',
    metrics: () => ({ prometheus: { address: prometheus.address } }),
  });

  const watched = (...steps: object[]) => ({
    ...canary(...steps),
    template: { metrics: METRICS },
  });
  const FIRST = { clusters: [A], pause: '4s', metrics: [GATE] };
  const readings = ({ backend }: Scene, releaseId: string) =>
    listMeasurements(backend.commands.database, { releaseId, limit: 500 });

  it('lets a release go on where all readings are good, each kept with its query', () =>
    inScene(async scene => {
      gauges.set(A, scene, 0.4);
      const run = await scene.released('2.0.0', watched(FIRST, { clusters: [B] }));
      expect(run.state).toBe('Succeeded');
      expect(await scene.versions()).toEqual(NEW);
      const kept = (await readings(scene, run.id)).filter(({ value }) => value !== undefined);
      expect(kept.length).toBeGreaterThanOrEqual(4);
      expect(kept[0]).toMatchObject({
        metric: 'error_rate',
        cluster: A,
        result: 'good',
        value: 0.4,
        query: `error_rate{cluster="${A}",namespace="${scene.namespace}",version="2.0.0"}`,
      });
    }));

  it('sends back all that it has touched when a guard of an earlier step crosses its limit', () =>
    inScene(async scene => {
      const { backend, start, versions, told } = scene;
      gauges.set(A, scene, 0.4);
      const id = await start('2.0.0', watched(FIRST, { clusters: [B], pause: {} }));
      await backend.until(id, waitsAt(1));
      expect(await versions()).toEqual(NEW);
      gauges.set(A, scene, 7);
      const run = await backend.ended(id);
      expect([run.state, ...states(run)]).toEqual(['RolledBack', 'RolledBack', 'RolledBack']);
      expect(await versions()).toEqual(OLD);
      expect(run.targets[0].failure).toMatchObject({
        cause: 'MetricFailed',
        message: 'error_rate is 7%, and must be at most 1% (1 bad)',
      });
      expect(await told(id, 'TargetFailed')).toEqual([`system TargetFailed ${A}`]);
      expect((await readings(scene, id)).at(-1)).toMatchObject({ result: 'bad', value: 7 });
    }));

  it('holds while Prometheus does not answer, and goes on by itself once it does', () =>
    inScene(async scene => {
      const { backend, start, versions } = scene;
      gauges.set(A, scene, 0);
      const gate = { ...GATE, consecutiveErrorLimit: 100 };
      const id = await start('2.0.0', watched({ ...FIRST, pause: '8s', metrics: [gate] }));
      await backend.until(id, waitsFor('metric'));
      prometheus.freeze();
      try {
        await backend.until(id, waitsFor('metric.nodata'));
        expect(await versions()).toEqual(['2.0.0', '1.0.0']);
      } finally {
        prometheus.thaw();
      }
      expect((await backend.ended(id)).state).toBe('Succeeded');
      const results = (await readings(scene, id)).map(({ result }) => result);
      expect(results).toContain('error');
    }));

  it('sends back what does worse than the version beside it, though within its limit', () =>
    inScene(async scene => {
      const { backend, start, versions } = scene;
      const compare = { with: 'stable', maxIncrease: '50%' };
      const metrics = METRICS.map(metric => ({ ...metric, compare }));
      const compared = { ...watched({ ...FIRST, pause: '1h' }), template: { metrics } };
      gauges.set(A, scene, 0.4, '1.0.0');
      gauges.set(A, scene, 0.5);
      const id = await start('2.0.0', compared);
      const isGood = ({ stages: [{ metrics: read = {} }] }: ReleaseRun) =>
        Object.values(read).some(({ good }) => good > 0);
      await backend.until(id, isGood);
      gauges.set(A, scene, 0.9);
      const run = await backend.ended(id);
      expect(run.state).toBe('RolledBack');
      expect(await versions()).toEqual(OLD);
      expect(run.targets[0].failure?.message).toBe(
        'error_rate is 0.9%, and must be at most 1%; at most 0.6% beside 0.4% of the stable version now (1 bad)',
      );
      expect((await readings(scene, id)).at(-1)).toMatchObject({
        ...{ result: 'bad', value: 0.9, baseline: 0.4 },
        baselineQuery: expect.stringContaining('version="1.0.0"'),
      });
    }));
});
