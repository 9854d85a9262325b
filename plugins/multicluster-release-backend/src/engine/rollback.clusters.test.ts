import { states, waitsFor } from '../testing/runs';
import { canary, imageOn } from '../testing/samples';
import { openScene, type More, type Scene } from '../testing/scene';
import { suiteOnRealClusters } from '../testing/suiteOnRealClusters';

const CLUSTERS = ['back-a', 'back-b', 'back-c'];
const [A, B, C] = CLUSTERS;

/** The new version crashes on the last cluster alone. */
const CRASHES_ON_LAST = imageOn(C, 'registry.example.org/shop/checkout:broken');
/** First one cluster, then the two others at once. */
const TWO_STEPS = canary({ clusters: [A] }, { clusters: [B, C] });

/** No node has this label: the pods wait for one until the time is up. */
function findsNoNode([deployment]: object[]): void {
  const { spec } = deployment as { spec: { template: { spec: object } } };
  Object.assign(spec.template.spec, { nodeSelector: { disk: 'golden' } });
}

describe('ways back over real clusters', () => {
  const { clusters, inScene } = suiteOnRealClusters({ names: CLUSTERS, prefix: 'back' });

  it.concurrent.each<
    [string, object, { state: string; states: string[]; versions: string[]; told: string[] }]
  >([
    [
      'RollbackTouched: all that the release wrote to',
      { onFailure: 'RollbackTouched' },
      {
        state: 'RolledBack',
        states: ['RolledBack', 'RolledBack', 'RolledBack'],
        versions: ['1.0.0', '1.0.0', '1.0.0'],
        told: ['RollbackStarted', 'ReleaseRolledBack'],
      },
    ],
    [
      'RollbackStage: the stage, and the one before stays',
      { onFailure: 'RollbackStage' },
      {
        state: 'RolledBack',
        states: ['Done', 'RolledBack', 'RolledBack'],
        versions: ['2.0.0', '1.0.0', '1.0.0'],
        told: ['RollbackStarted', 'ReleaseRolledBack'],
      },
    ],
    [
      'RollbackFailedOnly: the failed one',
      { onFailure: 'RollbackFailedOnly' },
      {
        state: 'Failed',
        states: ['Done', 'Done', 'RolledBack'],
        versions: ['2.0.0', '2.0.0', '1.0.0'],
        told: ['RollbackStarted', 'ReleaseFailed'],
      },
    ],
    [
      'within maxFailures: the failed one, and the release goes on',
      { maxFailures: 1 },
      {
        state: 'Succeeded',
        states: ['Done', 'Done', 'RolledBack'],
        versions: ['2.0.0', '2.0.0', '1.0.0'],
        told: ['TargetPutBack', 'ReleaseSucceeded'],
      },
    ],
    [
      'Continue: none',
      { onFailure: 'Continue' },
      {
        state: 'Failed',
        states: ['Done', 'Done', 'Failed'],
        versions: ['2.0.0', '2.0.0', 'broken'],
        told: ['ReleaseFailed'],
      },
    ],
  ])('a crashing cluster sends back by %s', (_, policy, expected) =>
    inScene(async ({ backend, released, versions }) => {
      const run = await released('2.0.0', { ...TWO_STEPS, policy, template: CRASHES_ON_LAST });
      expect(run.state).toBe(expected.state);
      expect(states(run)).toEqual(expected.states);
      expect(await versions()).toEqual(expected.versions);
      const events = await backend.events(run.id);
      expect(events).toContainEqual(
        expect.objectContaining({
          code: 'TargetFailed',
          cluster: C,
          actor: 'system',
          message: expect.stringContaining('CrashLoopBackOff'),
        }),
      );
      for (const code of expected.told) {
        expect(events).toContainEqual(expect.objectContaining({ code, actor: 'system' }));
      }
    }),
  );

  it.concurrent('a cluster whose time is up sends back, and the version is on hold', () =>
    inScene(async ({ backend, start, released, versions, told }) => {
      const run = await released('2.0.0', { change: findsNoNode, policy: { timeout: '10s' } });
      expect(run).toMatchObject({ state: 'RolledBack', rollback: { by: 'system' } });
      expect(run.targets.map(({ failure }) => failure?.cause)).toContain('Timeout');
      expect(await versions()).toEqual(CLUSTERS.map(() => '1.0.0'));
      expect((await told(run.id, 'RollbackStarted'))[0]).toMatch(/^system RollbackStarted \(/);
      await expect(start('2.0.0')).rejects.toMatchObject({ code: 'OnHold' });
      expect((await backend.run(run.id)).state).toBe('RolledBack');
    }),
  );

  it.concurrent('a failure that is not in rollback.on waits for a person', () =>
    inScene(async ({ backend, start, act, versions, told }) => {
      const { strategy } = TWO_STEPS;
      const id = await start('2.0.0', {
        strategy: { ...strategy, rollback: { on: ['Timeout'] } },
        template: CRASHES_ON_LAST,
      });
      await backend.until(id, waitsFor('budget'));
      expect(await versions()).toEqual(['2.0.0', '2.0.0', 'broken']);
      await act(id, 'rollback', { reason: 'it crashes' });
      expect(await backend.ended(id)).toMatchObject({ state: 'RolledBack' });
      expect(await versions()).toEqual(CLUSTERS.map(() => '1.0.0'));
      expect(await told(id, 'RollbackRequested', 'RollbackStarted')).toEqual([
        'user:default/ann RollbackRequested (it crashes)',
        'user:default/ann RollbackStarted (it crashes)',
      ]);
    }),
  );

  it.concurrent('a person sends a running release back, from where it has come to', () =>
    inScene(async ({ backend, start, act, versions, told }) => {
      const id = await start('2.0.0', canary({ clusters: [A, B], pause: {} }));
      await backend.until(id, waitsFor('promote'));
      expect(await versions()).toEqual(['2.0.0', '2.0.0', '1.0.0']);
      const sue = { ref: 'user:default/sue' };
      await act(id, 'rollback', { reason: 'orders are lost' }, sue);
      const run = await backend.ended(id);
      expect(run).toMatchObject({ state: 'RolledBack', rollback: { by: 'user:default/sue' } });
      expect(states(run)).toEqual(['RolledBack', 'RolledBack', 'Unchanged']);
      expect(await versions()).toEqual(CLUSTERS.map(() => '1.0.0'));
      expect(await told(id, 'RollbackRequested', 'TargetStarted')).toEqual([
        `system TargetStarted ${A}`,
        `system TargetStarted ${B}`,
        'user:default/sue RollbackRequested (orders are lost)',
      ]);
    }),
  );

  it.concurrent('chosen clusters go back alone, and the others go on', () =>
    inScene(async ({ backend, namespace, start, act, versions, told }) => {
      const id = await start('2.0.0', canary({ clusters: [A, B], pause: {} }));
      await backend.until(id, waitsFor('promote'));
      const targets = [{ cluster: B, namespace }];
      await act(id, 'rollback', { targets, reason: 'odd there' });
      await backend.until(id, ({ targets: now }) => now[1].state === 'RolledBack');
      expect(await versions()).toEqual(['2.0.0', '1.0.0', '1.0.0']);
      await act(id, 'promote');
      expect(states(await backend.ended(id))).toEqual(['Done', 'RolledBack', 'Done']);
      expect(await versions()).toEqual(['2.0.0', '1.0.0', '2.0.0']);
      expect(await told(id, 'RollbackRequested')).toEqual([
        'user:default/ann RollbackRequested (odd there)',
      ]);
    }),
  );

  it.concurrent('goes back to a version of choice, and from there forth again', () =>
    inScene(async ({ backend, released, act, versions, kubectl, told }) => {
      await released('2.0.0');
      const { id } = await released('4.0.0');
      const back = await act(id, 'rollback', { toVersion: '1.0.0', reason: 'known to work' });
      expect(await backend.ended(back)).toMatchObject({
        state: 'Succeeded',
        targetVersion: '1.0.0',
      });
      expect(await versions()).toEqual(CLUSTERS.map(() => '1.0.0'));
      const kept = await kubectl(A, 'get', 'configmap', 'only-in-1', '-o', 'jsonpath={.data.a}');
      expect(kept).toBe('b');
      expect(await told(back, 'RollbackCreated')).toEqual([
        'user:default/ann RollbackCreated (known to work)',
      ]);

      // 4.0.0 is on hold since: who sends the rollback back has to say that it is meant.
      await expect(act(back, 'rollback')).rejects.toMatchObject({ code: 'OnHold' });
      const forth = await act(back, 'rollback', { releaseHold: true, reason: 'it was not that' });
      expect(await backend.ended(forth)).toMatchObject({ state: 'Succeeded' });
      expect(await versions()).toEqual(CLUSTERS.map(() => '4.0.0'));
      expect(await kubectl(A, 'get', 'configmaps', '-o', 'name')).not.toContain('only-in-1');
    }),
  );

  it.concurrent('a release on its way goes back to a version of choice', () =>
    inScene(async ({ backend, released, start, act, versions }) => {
      await released('2.0.0');
      const id = await start('4.0.0', canary({ clusters: [A], pause: {} }));
      await backend.until(id, waitsFor('promote'));
      await act(id, 'rollback', { toVersion: '1.0.0', reason: 'better so' });
      expect(await backend.ended(id)).toMatchObject({ state: 'RolledBack' });
      expect(await versions()).toEqual(['1.0.0', '2.0.0', '2.0.0']);
    }),
  );

  it.concurrent('what is back equals a fresh install of the old version', () =>
    inScene(async scene => {
      const { backend, start, released, act } = scene;
      const changed: More = { change: changeEverything };
      const before = await plainObjects(scene, A);
      const id = await start('2.0.0', { ...changed, ...canary({ clusters: CLUSTERS, pause: {} }) });
      await backend.until(id, waitsFor('promote'));
      await act(id, 'rollback');
      expect(await backend.ended(id)).toMatchObject({ state: 'RolledBack' });
      const twice = await released('5.0.0', changed);
      await backend.ended(await act(twice.id, 'rollback'));
      const fresh = `${scene.namespace}-fresh`;
      const other = await openScene({ clusters: clusters(), names: CLUSTERS, namespace: fresh });
      try {
        await other.released('1.0.0');
        for (const cluster of CLUSTERS) {
          const expected = await plainObjects(other, cluster);
          expect(expected.map(({ kind }) => kind)).toEqual([
            ...['ConfigMap', 'ConfigMap', 'Deployment', 'Service'],
          ]);
          const back = await plainObjects(scene, cluster);
          expect(withoutDigest(back)).toEqual(withoutDigest(expected));
          expect(back).toEqual(before);
        }
      } finally {
        await other.close();
      }
    }),
  );
});

interface PlainObject {
  kind: string;
  metadata: { name: string; labels?: object; annotations?: Record<string, string> };
}

/** More pods, another way to change them, one more object, and none of the Service. */
function changeEverything(objects: object[]): void {
  const [deployment] = objects as { spec: Record<string, unknown> }[];
  const extra = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'extra', labels: { a: 'b' } },
    data: { c: 'd' },
  };
  Object.assign(deployment.spec, {
    replicas: 4,
    minReadySeconds: 1,
    strategy: { rollingUpdate: { maxSurge: 3, maxUnavailable: 1 } },
  });
  Object.assign(objects[1], { data: { version: '2.0.0', more: 'yes' }, immutable: false });
  objects.splice(2, 1, extra);
}

/** Without what each namespace, server, controller and release writes for itself. */
async function plainObjects({ kubectl }: Scene, cluster: string): Promise<PlainObject[]> {
  const text = await kubectl(cluster, 'get', 'configmaps,deployments,services', '-o', 'json');
  const items: (PlainObject & { spec?: Record<string, unknown>; status?: unknown })[] =
    JSON.parse(text).items;
  return items
    .filter(({ metadata }) => metadata.name !== 'kube-root-ca.crt')
    .map(({ metadata: { name, labels, annotations = {} }, spec, status: _, ...rest }) => {
      const { clusterIP, clusterIPs, ...plain } = spec ?? {};
      const told = Object.keys(annotations).filter(key => !OF_THE_RUN.has(key));
      const kept = told.map(key => [key, annotations[key]]);
      const metadata = { name, labels, annotations: Object.fromEntries(kept) };
      return { ...rest, metadata, ...(spec ? { spec: plain } : {}) };
    })
    .sort((a, b) => `${a.kind}/${a.metadata.name}`.localeCompare(`${b.kind}/${b.metadata.name}`));
}

const OF_THE_RUN = new Set(['multicluster-release.io/stamp', 'deployment.kubernetes.io/revision']);

/** Which holds the namespace, too. */
function withoutDigest(objects: PlainObject[]): PlainObject[] {
  return objects.map(object => {
    const { 'multicluster-release.io/content': digest, ...annotations } =
      object.metadata.annotations ?? {};
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    return { ...object, metadata: { ...object.metadata, annotations } };
  });
}
