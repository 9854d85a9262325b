import type { ReleaseRun } from '../../decide';
import { realClusters, type RealClusters } from '../../testing/realClusters';
import { releaseDocuments, type ReleaseOptions } from '../../testing/samples';
import { smallBackend, type SmallBackend } from '../../testing/smallBackend';

jest.setTimeout(180_000);

const CLUSTER = 'plan-a';

function workload(kind: string, name: string) {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name },
    spec: {
      selector: { matchLabels: labels },
      ...(kind === 'StatefulSet' && { serviceName: name }),
      ...(kind !== 'DaemonSet' && { replicas: 4 }),
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'main', image: `registry.example.org/shop/${name}:1` }] },
      },
    },
  };
}

describe('planning for real clusters', () => {
  let clusters: RealClusters;
  let backend: SmallBackend;
  let namespace: string;
  let count = 0;

  beforeAll(async () => {
    clusters = await realClusters(CLUSTER);
    backend = await smallBackend({ database: ':memory:', kubeconfig: clusters.kubeconfig });
    backend.engine.start();
  }, 1_200_000);

  afterAll(async () => {
    await backend?.close();
    await clusters?.remove();
  }, 60_000);

  beforeEach(async () => {
    count += 1;
    namespace = `planned-${count}`;
    await clusters.kubectl(CLUSTER, 'create', 'namespace', namespace);
  });

  const documents = (options: Partial<ReleaseOptions>) =>
    releaseDocuments({ version: '1.0.0', clusters: [CLUSTER], namespace, ...options });

  const rolling = (bounds: object) => ({
    type: 'RollingUpdate',
    rollingUpdate: { mode: 'Parallel', ...bounds },
  });

  const live = async (kind: string, name: string) =>
    JSON.parse(await clusters.kubectl(CLUSTER, 'get', kind, name, '-n', namespace, '-o', 'json'));

  async function succeeds(text: string): Promise<void> {
    const run: ReleaseRun = await backend.ended(await backend.release(text));
    expect(run.state).toBe('Succeeded');
  }

  it.each<[string, object]>([
    ['a surge alone', { maxSurge: '25%', maxUnavailable: 0 }],
    ['no surge', { maxSurge: 0, maxUnavailable: '25%' }],
    ['both', { maxSurge: 1, maxUnavailable: 2 }],
    ['both zero (C29)', { maxSurge: 0, maxUnavailable: 0 }],
  ])('the API server takes the bounds of every kind of workload: %s', async (_name, bounds) => {
    const { plan, findings } = await backend.preview(
      documents({
        strategy: rolling(bounds),
        change: objects => {
          objects.push(workload('StatefulSet', 'queue'), workload('DaemonSet', 'agent'));
        },
      }),
    );
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(plan).toBeDefined();
  });

  it('lowers the surge to what a quota leaves, and the release gets through', async () => {
    const strategy = rolling({ maxSurge: 3, maxUnavailable: 0 });
    await succeeds(documents({ strategy }));
    // Three pods run; six may, those included that are ending.
    await clusters.kubectl(CLUSTER, 'create', 'quota', 'team', '--hard=pods=6', '-n', namespace);
    await clusters.kubectl(
      CLUSTER,
      ...['wait', 'quota/team', '-n', namespace, '--timeout=60s'],
      '--for=jsonpath={.status.used.pods}=3',
    );
    const tight = documents({ version: '2.0.0', strategy });
    const { findings } = await backend.preview(tight);
    expect(findings).toContainEqual(
      expect.objectContaining({
        code: 'NoRoomForSurge',
        cluster: CLUSTER,
        params: expect.objectContaining({
          short: '6 pods (with those that are ending) of 3 pods that are free in quota team',
        }),
      }),
    );
    const adapted = documents({ version: '2.0.0', strategy, policy: { adapt: true } });
    expect((await backend.preview(adapted)).findings).toContainEqual(
      expect.objectContaining({
        code: 'SurgeLowered',
        params: expect.objectContaining({ from: 3, to: 1 }),
      }),
    );
    await succeeds(adapted);
    const { spec, status } = await live('deployment', 'checkout');
    expect(spec.strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
    expect(status.readyReplicas).toBe(3);
  });

  it('runs the Jobs of a canary step on its cluster, and removes them', async () => {
    const job = (image: string) => ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'smoke' },
      spec: {
        backoffLimit: 0,
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'smoke', image }] } },
      },
    });
    const canary = (image: string) => ({
      type: 'Canary',
      canary: { steps: [{ clusters: [CLUSTER], jobs: [{ manifest: job(image) }] }] },
    });
    await succeeds(documents({ strategy: canary('smoke:${version}') }));
    const left = await clusters.kubectl(CLUSTER, 'get', 'jobs', '-n', namespace, '-o', 'name');
    expect(left).toBe('');
    const failing = documents({ version: '3.0.0', strategy: canary('broken:${version}') });
    const run = await backend.ended(await backend.release(failing));
    expect(run.state).toBe('RolledBack');
    const { data } = await live('configmap', 'checkout');
    expect(data).toEqual({ version: '1.0.0' });
  });
});
