import { until } from '../http/__testUtils__/until';
import { waitsAt, waitsFor } from '../testing/runs';
import { canary, gateJob } from '../testing/samples';
import type { Scene } from '../testing/scene';
import type { Person } from '../testing/smallBackend';
import { suiteOnRealClusters } from '../testing/suiteOnRealClusters';

const RINGS = { 'ways-a': 'canary', 'ways-b': 'gray', 'ways-c': 'main', 'ways-d': 'main' };
const CLUSTERS = Object.keys(RINGS);
const [A, B, C, D] = CLUSTERS;
/** Against the order of names. */
const PRIORITIES = { [A]: '3', [B]: '1', [C]: '2' };
const CONFIGURED = Object.fromEntries(
  Object.entries(RINGS).map(([name, ring]) => [
    name,
    { labels: { ring, ...(PRIORITIES[name] ? { 'acme.io/priority': PRIORITIES[name] } : {}) } },
  ]),
);
const SUE: Person = { ref: 'user:default/sue', groups: ['group:default/sre'] };

const GROUPS = {
  select: { clusters: CLUSTERS },
  groups: ['canary', 'gray', 'main'].map(ring => ({ name: ring, match: { labels: { ring } } })),
};

const rolling = (rollingUpdate: object) => ({
  strategy: { type: 'RollingUpdate', rollingUpdate },
});
describe('strategies over real clusters', () => {
  const { inScene } = suiteOnRealClusters({
    ...{ names: CLUSTERS, prefix: 'ways', configured: CONFIGURED },
  });

  /** When our hands last changed the Deployment there, by the API server's clock, in seconds. */
  async function changedAt({ kubectl }: Scene, cluster: string): Promise<number> {
    const ours = '{.metadata.managedFields[?(@.manager=="multicluster-release")].time}';
    const time = await kubectl(
      cluster,
      ...['get', 'deployment', 'checkout', '--show-managed-fields'],
      ...['-o', `jsonpath=${ours}`],
    );
    return Date.parse(time) / 1000;
  }

  it.concurrent('canary by groups goes on when a person promotes', () =>
    inScene(async ({ backend, start, act, versions, told }) => {
      const steps = [
        { group: 'canary', pause: {} },
        { group: 'gray', pause: {} },
      ];
      const id = await start('2.0.0', {
        placement: GROUPS,
        ...canary(...steps, { group: 'main' }),
      });
      await backend.until(id, waitsAt(0));
      expect(await versions()).toEqual(['2.0.0', '1.0.0', '1.0.0', '1.0.0']);
      await act(id, 'promote', { expectedStage: 0, reason: 'canary looks good' });
      await backend.until(id, waitsAt(1));
      expect(await versions()).toEqual(['2.0.0', '2.0.0', '1.0.0', '1.0.0']);
      await act(id, 'promote', { expectedStage: 1 }, SUE);
      expect(await backend.ended(id)).toMatchObject({ state: 'Succeeded' });
      expect(await versions()).toEqual(CLUSTERS.map(() => '2.0.0'));
      expect(await told(id, 'Promoted', 'ReleaseSucceeded')).toEqual([
        'user:default/ann Promoted (canary looks good)',
        'user:default/sue Promoted',
        'system ReleaseSucceeded',
      ]);
    }),
  );

  it.concurrent('canary by named clusters promotes the rest one by one', () =>
    inScene(async ({ backend, start, act, versions, told }) => {
      const id = await start('2.0.0', canary({ clusters: [C], pause: {} }));
      await backend.until(id, waitsAt(0));
      expect(await versions()).toEqual(['1.0.0', '1.0.0', '2.0.0', '1.0.0']);
      await act(id, 'promote');
      expect(await backend.ended(id)).toMatchObject({ state: 'Succeeded' });
      expect(await versions()).toEqual(CLUSTERS.map(() => '2.0.0'));
      const order = await told(id, 'TargetStarted', 'TargetDone');
      expect(order).toEqual(
        [C, A, B, D].flatMap(name => [`system TargetStarted ${name}`, `system TargetDone ${name}`]),
      );
    }),
  );

  it.concurrent('canary by growing shares: 10 % and 30 % of four are one, 100 % are all', () =>
    inScene(async ({ backend, documents, start, act, versions, told }) => {
      const shares = canary(
        { share: '10%', pause: {} },
        { share: '30%', pause: {} },
        { share: '100%', pause: {} },
      );
      const { findings } = await backend.preview(documents('2.0.0', shares));
      expect(findings.map(({ code }) => code)).toContain('StageAlreadyReached');
      const id = await start('2.0.0', shares);
      await backend.until(id, waitsAt(0));
      expect(await versions()).toEqual(['2.0.0', '1.0.0', '1.0.0', '1.0.0']);
      await act(id, 'promote');
      await backend.until(id, waitsAt(2));
      expect(await versions()).toEqual(CLUSTERS.map(() => '2.0.0'));
      await act(id, 'promote');
      expect(await backend.ended(id)).toMatchObject({ state: 'Succeeded' });
      expect(await told(id, 'StageStarted', 'StageFinished')).toHaveLength(4);
    }),
  );

  it.concurrent('one document mixes group, share, clusters, pause, approval, jobs, stabilize', () =>
    inScene(async ({ backend, start, act, versions, kubectl, told }) => {
      const id = await start('2.0.0', {
        placement: GROUPS,
        ...canary(
          { group: 'canary', jobs: [gateJob('smoke')], stabilize: '1s', pause: {} },
          { share: '50%', pause: '1s', approval: { required: 1, from: ['group:default/sre'] } },
          { clusters: [D], stabilize: '1s', pause: '1s' },
        ),
      });
      await backend.until(id, waitsAt(0));
      expect(await versions()).toEqual(['2.0.0', '1.0.0', '1.0.0', '1.0.0']);
      const completed = '{.items[?(@.reason=="Completed")].involvedObject.name}';
      const ran = await kubectl(A, 'get', 'events', '-o', `jsonpath=${completed}`);
      expect(ran).toMatch(/^smoke-1-\d+-0$/);
      expect(await kubectl(A, 'get', 'jobs', '-o', 'name')).toBe('');
      await act(id, 'promote');
      const asked = await backend.until(id, waitsAt(1, 'approval'));
      expect(await versions()).toEqual(['2.0.0', '2.0.0', '1.0.0', '1.0.0']);
      const planHash = asked.plans[0].hash;
      await act(id, 'approve', { planHash, reason: 'graphs are flat' }, SUE);
      expect(await backend.ended(id)).toMatchObject({ state: 'Succeeded' });
      expect(await versions()).toEqual(CLUSTERS.map(() => '2.0.0'));
      expect(await told(id, 'Promoted', 'ApprovalAsked', 'Approved', 'ApprovalPassed')).toEqual([
        'user:default/ann Promoted',
        'system ApprovalAsked',
        'user:default/sue Approved (graphs are flat)',
        'system ApprovalPassed',
      ]);
      const started = await told(id, 'TargetStarted');
      expect(started).toEqual([A, B, D, C].map(name => `system TargetStarted ${name}`));
    }),
  );

  it.concurrent('a weight inside of a cluster is a part of its pods, then all of them', () =>
    inScene(async ({ backend, start, act, versions, kubectl }) => {
      const id = await start('2.0.0', canary({ clusters: [A], weight: 33, pause: {} }));
      await backend.until(id, waitsAt(0));
      const pods = () =>
        kubectl(
          A,
          ...['get', 'deployments', '--sort-by', '{.metadata.name}', '-o'],
          'jsonpath={range .items[*]}{.metadata.name} {.status.readyReplicas} {end}',
        );
      // Two are asked for; the controller takes the third away a moment later.
      await until(pods, seen => seen === 'checkout 2 checkout-canary 1 ');
      expect(await versions()).toEqual(CLUSTERS.map(() => '1.0.0'));
      await act(id, 'promote');
      expect(await backend.ended(id)).toMatchObject({ state: 'Succeeded' });
      expect(await versions()).toEqual(CLUSTERS.map(() => '2.0.0'));
      expect(await pods()).toBe('checkout 3 ');
    }),
  );

  it.concurrent('a parallel update starts everywhere before it is done anywhere', () =>
    inScene(async ({ backend, released, versions, told }) => {
      const { id, state } = await released('2.0.0', rolling({ mode: 'Parallel' }));
      expect(state).toBe('Succeeded');
      expect(await versions()).toEqual(CLUSTERS.map(() => '2.0.0'));
      const codes = (await told(id, 'TargetStarted', 'TargetDone')).map(line => line.split(' ')[1]);
      expect(codes).toEqual([
        ...CLUSTERS.map(() => 'TargetStarted'),
        ...CLUSTERS.map(() => 'TargetDone'),
      ]);
      expect(await backend.events(id)).toContainEqual(
        expect.objectContaining({ code: 'ReleaseCreated', actor: 'user:default/ann' }),
      );
    }),
  );

  it.concurrent('a serial update follows the priorities, and watches each cluster first', () =>
    inScene(async scene => {
      const { id, state } = await scene.released('2.0.0', {
        placement: { select: { clusters: CLUSTERS } },
        ...rolling({ mode: 'Serial', stabilize: '2s' }),
        policy: { order: { by: 'priority', label: 'acme.io/priority' } },
      });
      expect(state).toBe('Succeeded');
      expect(await scene.versions()).toEqual(CLUSTERS.map(() => '2.0.0'));
      const order = [B, C, A, D];
      expect(await scene.told(id, 'TargetStarted', 'TargetDone')).toEqual(
        order.flatMap(name => [`system TargetStarted ${name}`, `system TargetDone ${name}`]),
      );
      const times = await Promise.all(order.map(name => changedAt(scene, name)));
      for (const [index, time] of times.slice(1).entries()) {
        expect(time - times[index]).toBeGreaterThanOrEqual(2);
      }
    }),
  );

  it.concurrent.each<[string, object, string[][]]>([
    ['groups', { batches: 'groups' }, [[A], [B], [C, D]]],
    ['a size', { batches: 3 }, [[A, B, C], [D]]],
    ['growing shares', { batches: ['25%', '75%', '100%'] }, [[A], [B, C], [D]]],
  ])('a batched update by %s ends each batch before the next', (_, batches, expected) =>
    inScene(async scene => {
      const { id, state } = await scene.released('2.0.0', {
        placement: GROUPS,
        ...rolling({ mode: 'Batched', stabilize: '2s', ...batches }),
      });
      expect(state).toBe('Succeeded');
      expect(await scene.versions()).toEqual(CLUSTERS.map(() => '2.0.0'));
      const times = await Promise.all(
        expected.map(batch => Promise.all(batch.map(name => changedAt(scene, name)))),
      );
      for (const [index, batch] of times.slice(1).entries()) {
        expect(Math.min(...batch)).toBeGreaterThan(Math.max(...times[index]));
      }
      expect(await scene.told(id, 'StageFinished')).toHaveLength(expected.length);
    }),
  );

  it.concurrent('maxSurge and maxUnavailable stand in the live Deployments', () =>
    inScene(async ({ released, kubectl, versions }) => {
      const bounds = rolling({ mode: 'Parallel', maxSurge: 2, maxUnavailable: 0 });
      expect(await released('2.0.0', bounds)).toMatchObject({ state: 'Succeeded' });
      expect(await versions()).toEqual(CLUSTERS.map(() => '2.0.0'));
      for (const cluster of CLUSTERS) {
        const path = 'jsonpath={.spec.strategy.rollingUpdate}';
        const live = await kubectl(cluster, 'get', 'deployment', 'checkout', '-o', path);
        expect(JSON.parse(live)).toEqual({ maxSurge: 2, maxUnavailable: 0 });
      }
    }),
  );

  it.concurrent('a release waits for the service that it needs, cluster by cluster', () =>
    inScene(async ({ backend, documents, start, versions }) => {
      const service = 'component:default/settings';
      const needs = { template: { dependsOn: [{ service, version: '>=1.4', on: 'same' }] } };
      const id = await start('2.0.0', { ...needs, ...rolling({ mode: 'Serial' }) });
      const blocked = await backend.until(id, waitsFor('dependsOn'));
      expect(blocked.waiting[0]).toMatchObject({ code: 'dependsOn', params: { service } });
      expect(await versions()).toEqual(CLUSTERS.map(() => '1.0.0'));
      const settings = (version: string) =>
        backend.release(documents(version, { name: 'settings' }), { service });
      await backend.ended(await settings('1.3.0'));
      const needed = await settings('1.4.0');
      await backend.until(needed, ({ targets }) => targets.some(({ state }) => state === 'Done'));
      expect(await backend.ended(id)).toMatchObject({ state: 'Succeeded' });
      expect(await versions()).toEqual(CLUSTERS.map(() => '2.0.0'));
      const done = (await backend.events(needed)).find(({ code }) => code === 'TargetDone');
      const first = (await backend.events(id)).find(({ code }) => code === 'TargetStarted');
      expect(first?.at).toBeGreaterThanOrEqual(done?.at ?? Infinity);
    }),
  );
});
