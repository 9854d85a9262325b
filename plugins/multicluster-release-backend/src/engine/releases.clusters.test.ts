import { realClusters, type RealClusters } from '../testing/realClusters';
import { releaseDocuments, type ReleaseOptions } from '../testing/samples';
import { smallBackend, type SmallBackend } from '../testing/smallBackend';

const CLUSTERS = ['faults-a', 'faults-b', 'faults-c'];
const [A, B, C] = CLUSTERS;
const SERIAL = { type: 'RollingUpdate', rollingUpdate: { mode: 'Serial' } };
const image = (version: string) => `registry.example.org/shop/checkout:${version}`;

jest.setTimeout(240_000);

describe('releases over real clusters', () => {
  let clusters: RealClusters;
  let backend: SmallBackend;
  let namespace: string;
  let counter = 0;

  beforeAll(async () => {
    clusters = await realClusters(...CLUSTERS);
  }, 1_200_000);

  afterAll(async () => {
    await clusters.remove();
  }, 60_000);

  beforeEach(async () => {
    counter += 1;
    namespace = `shop-${counter}`;
    await Promise.all(
      CLUSTERS.map(cluster => clusters.kubectl(cluster, 'create', 'namespace', namespace)),
    );
    backend = await smallBackend({ database: ':memory:', kubeconfig: clusters.kubeconfig });
    backend.engine.start();
  });

  afterEach(async () => {
    await backend.close();
  });

  const documents = (version: string, more: Partial<ReleaseOptions> = {}) =>
    releaseDocuments({ version, clusters: CLUSTERS, namespace, ...more });

  async function released(version: string, more: Partial<ReleaseOptions> = {}) {
    return backend.ended(await backend.release(documents(version, more)));
  }

  /** What kubectl sees: the image on each cluster. */
  async function witness(): Promise<string[]> {
    return Promise.all(
      CLUSTERS.map(cluster =>
        clusters.kubectl(
          cluster,
          '-n',
          namespace,
          'get',
          'deployment',
          'checkout',
          '-o',
          'jsonpath={.spec.template.spec.containers[0].image}',
        ),
      ),
    );
  }

  const everywhere = (version: string) => CLUSTERS.map(() => image(version));

  it('goes one by one, prunes what is no longer there, and writes nothing the second time', async () => {
    expect(await released('1.0.0', { strategy: SERIAL })).toMatchObject({ state: 'Succeeded' });
    expect(await witness()).toEqual(everywhere('1.0.0'));
    expect(await released('2.0.0', { strategy: SERIAL })).toMatchObject({ state: 'Succeeded' });
    expect(await witness()).toEqual(everywhere('2.0.0'));
    const maps = await clusters.kubectl(A, '-n', namespace, 'get', 'configmaps', '-o', 'name');
    expect(maps).not.toContain('only-in-1');
    const again = await released('2.0.0', { strategy: SERIAL });
    expect(again).toMatchObject({
      state: 'Succeeded',
      targets: CLUSTERS.map(() => ({ state: 'Unchanged' })),
    });
  });

  it('stops at a crashing image, puts back what it touched and leaves the rest alone', async () => {
    await released('1.0.0');
    const run = await released('3.0.0', { strategy: SERIAL });
    expect(run).toMatchObject({ state: 'RolledBack', rollback: { by: 'system' } });
    expect(run.targets.map(({ state }) => state)).toEqual(['RolledBack', 'Unchanged', 'Unchanged']);
    expect(await witness()).toEqual(everywhere('1.0.0'));
    await expect(backend.release(documents('3.0.0'))).rejects.toMatchObject({ code: 'OnHold' });
  });

  it('pauses and resumes on the way', async () => {
    await released('1.0.0');
    const steps = [{ clusters: [A], pause: '3s' }, { clusters: [B] }, { clusters: [C] }];
    const id = await backend.release(
      documents('2.0.0', { strategy: { type: 'Canary', canary: { steps } } }),
    );
    await backend.until(id, ({ targets }) => targets[0].state === 'Done');
    await backend.act(id, 'pause', { reason: 'lunch' });
    const paused = await backend.until(id, ({ state }) => state === 'Paused');
    expect(paused.waiting[0]).toMatchObject({ code: 'paused', params: { reason: 'lunch' } });
    expect(await witness()).toEqual([image('2.0.0'), image('1.0.0'), image('1.0.0')]);
    await backend.act(id, 'resume');
    expect(await backend.ended(id)).toMatchObject({ state: 'Succeeded' });
    expect(await witness()).toEqual(everywhere('2.0.0'));
  });

  it('rolls a finished release back as a new one, from stored content', async () => {
    await released('1.0.0');
    const { id } = await released('2.0.0');
    const back = await backend.ended(await backend.act(id, 'rollback', { reason: 'slow' }));
    expect(back).toMatchObject({ state: 'Succeeded' });
    expect(await witness()).toEqual(everywhere('1.0.0'));
    const maps = await clusters.kubectl(
      A,
      '-n',
      namespace,
      'get',
      'configmap',
      'only-in-1',
      '-o',
      'jsonpath={.data.a}',
    );
    expect(maps).toBe('b');
  });

  it('waits for a cluster that is down before its turn, and goes on with the others', async () => {
    await released('1.0.0');
    await clusters.outage('kill', B);
    try {
      const id = await backend.release(documents('2.0.0'));
      const run = await backend.until(
        id,
        ({ targets }) =>
          targets[0].state === 'Done' &&
          targets[2].state === 'Done' &&
          targets[1].unreachableSince !== undefined,
      );
      expect(run.waiting.map(({ code }) => code)).toContain('unreachable');
      await clusters.outage('up', B);
      expect(await backend.ended(id)).toMatchObject({ state: 'Succeeded' });
    } finally {
      await clusters.outage('up', B);
    }
    expect(await witness()).toEqual(everywhere('2.0.0'));
  });

  it('sits out a cluster that stops answering in the middle of its turn', async () => {
    await released('1.0.0');
    const slow = (objects: object[]) => {
      Object.assign(
        objects[0],
        JSON.parse(JSON.stringify(objects[0]).replace('shop/checkout:', 'shop/slow-checkout:')),
      );
    };
    const id = await backend.release(documents('2.0.0', { change: slow }));
    await backend.until(id, ({ targets }) => targets[1].state === 'Verifying');
    await clusters.outage('freeze', B);
    try {
      await backend.until(
        id,
        ({ targets }) => targets[0].state === 'Done' && targets[1].unreachableSince !== undefined,
      );
    } finally {
      await clusters.outage('thaw', B);
    }
    expect(await backend.ended(id)).toMatchObject({ state: 'Succeeded' });
  });

  it('finishes a rollback on a cluster that was away', async () => {
    await released('1.0.0');
    const policy = { offline: { policy: 'Wait', after: '2s' } };
    const steps = [{ clusters: CLUSTERS, pause: {} }];
    const id = await backend.release(
      documents('2.0.0', { policy, strategy: { type: 'Canary', canary: { steps } } }),
    );
    await backend.until(id, ({ targets }) => targets.every(({ state }) => state === 'Done'));
    await clusters.outage('kill', C);
    try {
      await backend.until(id, ({ targets }) => targets[2].unreachableSince !== undefined);
      await backend.act(id, 'rollback', { reason: 'looks wrong' });
      const run = await backend.until(id, ({ state }) => state === 'RolledBack');
      expect(run.targets.map(({ state }) => state)).toEqual([
        'RolledBack',
        'RolledBack',
        'RollbackPending',
      ]);
      expect(run.needsWork).toBe(true);
    } finally {
      await clusters.outage('up', C);
    }
    expect((await backend.ended(id)).targets.map(({ state }) => state)).toEqual(
      CLUSTERS.map(() => 'RolledBack'),
    );
    expect(await witness()).toEqual(everywhere('1.0.0'));
  });

  it('finds a manifest that an API server refuses before any cluster is written', async () => {
    await released('1.0.0');
    const broken = (objects: object[]) =>
      objects.push({
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'odd' },
        spec: { ports: [{ port: 99999 }] },
      });
    const { findings } = await backend.preview(documents('2.0.0', { change: broken }));
    expect(findings.filter(({ severity }) => severity === 'error')).toHaveLength(CLUSTERS.length);
    expect(findings[0].message).toMatch(/Service.*odd/);
    await expect(backend.release(documents('2.0.0', { change: broken }))).rejects.toThrow(/odd/);
    expect(await witness()).toEqual(everywhere('1.0.0'));
  });

  it('lets the second of two people who press at once wait behind the first', async () => {
    await released('1.0.0');
    const [first, second] = await Promise.all([
      backend.release(documents('2.0.0')),
      backend.release(documents('4.0.0')),
    ]);
    const runs = await Promise.all([backend.ended(first), backend.ended(second)]);
    expect(runs.map(({ state }) => state)).toEqual(['Succeeded', 'Succeeded']);
    const [earlier, later] = runs.sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0));
    expect(later.startedAt).toBeGreaterThanOrEqual(earlier.finishedAt ?? Infinity);
    expect(await witness()).toEqual(everywhere(later.targetVersion));
  });
});
