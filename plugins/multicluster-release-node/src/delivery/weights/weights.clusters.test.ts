import type { WeightRule } from 'backstage-plugin-multicluster-release-common';
import { eventually } from '../../clusters/testing/eventually';
import type { ClusterClient } from '../../clusters/types';
import type {
  KubernetesObject,
  Outcome,
  TargetObservation,
  WeightData,
  WriteFence,
} from '../../ports';
import { listAt, numberAt } from '../json';
import { containersOf } from '../podTemplate';
import { SERVICE, suiteOnRealCluster } from '../testing/suiteOnRealCluster';
import { dataOf, OPEN, type TestService } from '../testing/TestService';

const STAMP = 'multicluster-release.io/stamp';
const WEIGHT_STAMP = 'multicluster-release.io/weight-stamp';
const RECORD = 'multicluster-release.io/replicas-before';

interface Web {
  image?: string;
  name?: string;
  replicas?: number;
  maxSurge?: number | string;
}

function web({ image = 'img:1', name = 'web', replicas, maxSurge }: Web = {}) {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      ...(replicas === undefined ? {} : { replicas }),
      ...(maxSurge === undefined
        ? {}
        : { strategy: { rollingUpdate: { maxSurge, maxUnavailable: 1 } } }),
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'main', image }] },
      },
    },
  };
}

const settings = (a: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings' },
  data: { a },
});

const autoscaler = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'web' },
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    minReplicas: 4,
    maxReplicas: 8,
  },
};

const exactly = (percent: number): WeightRule => ({ percent, approximate: false });
const nearly = (percent: number): WeightRule => ({ percent, approximate: true });

describe('weights by pod counts on a real API server, with the rights of the shipped role', () => {
  let admin: ClusterClient;
  let namespace: string;
  let service: TestService;
  const suite = suiteOnRealCluster('weights', place => {
    ({ admin, namespace, service } = place);
  });

  const deployments = () => `/apis/apps/v1/namespaces/${namespace}/deployments`;

  async function live(name: string): Promise<KubernetesObject> {
    const path = `${deployments()}/${name}`;
    return (await admin.request<KubernetesObject>({ method: 'GET', path })).body;
  }

  async function versions(): Promise<string[]> {
    const { body } = await admin.request({ method: 'GET', path: deployments() });
    return listAt(body, 'items').map(item => {
      const { metadata } = item as KubernetesObject;
      return `${metadata.name} ${metadata.generation} ${JSON.stringify(metadata.annotations)}`;
    });
  }

  /** The witness: running pods by track and image. */
  async function pods(): Promise<Record<string, number>> {
    const path = `/api/v1/namespaces/${namespace}/pods`;
    const { body } = await admin.request({ method: 'GET', path });
    const alive = (listAt(body, 'items') as KubernetesObject[]).filter(
      ({ metadata }) => metadata.deletionTimestamp === undefined,
    );
    const counts: Record<string, number> = {};
    for (const pod of alive) {
      const track = pod.metadata.labels?.['multicluster-release.io/track'];
      const [{ image }] = listAt(pod.spec, 'containers') as { image: string }[];
      counts[`${track} ${image}`] = (counts[`${track} ${image}`] ?? 0) + 1;
    }
    return counts;
  }

  async function podsAre(expected: Record<string, number>): Promise<void> {
    await eventually(
      'the pods are as they should be',
      async () => JSON.stringify(sorted(await pods())) === JSON.stringify(sorted(expected)),
      60_000,
    ).catch(async error => {
      throw new Error(`${error.message}; are: ${JSON.stringify(await pods())}`);
    });
  }

  const sorted = (counts: Record<string, number>) => Object.entries(counts).sort();

  const observed = (
    digest: string,
    weighted: boolean | undefined,
    holds: (observation: TargetObservation) => boolean = ({ health }) => health.state === 'Healthy',
  ) => suite.observed({ ...service.observeRequest(digest), weighted }, 'it is seen', holds);

  async function running(manifests: object[]): Promise<string> {
    const digest = await service.content(manifests, '1.0.0');
    expect(await service.release(digest)).toEqual({ result: 'done' });
    await observed(digest, undefined);
    return digest;
  }

  /** A new plan, as far as its stage that brings a weight. */
  async function weighed(digest: string, weight: WeightRule): Promise<Outcome> {
    service.sequence += 1;
    const checked = await service.perform('check', digest, { weight });
    expect(checked).toMatchObject({ result: 'done' });
    return service.perform('weight', digest, { weight });
  }

  /** Asks again as the engine does, each time that the new pods are ready. */
  function reached(digest: string, weight: WeightRule): Promise<WeightData> {
    return eventually(
      'the weight is reached',
      async () => {
        const data = dataOf(await service.perform('weight', digest, { weight }), 'weight');
        return !data.partial && data;
      },
      60_000,
    );
  }

  async function inFull(digest: string): Promise<void> {
    for (const kind of ['check', 'apply'] as const) {
      expect(await service.perform(kind, digest)).toMatchObject({ result: 'done' });
    }
    await observed(digest, undefined);
    expect(await service.perform('remove', digest, { prune: false })).toMatchObject({
      result: 'done',
    });
  }

  describe.each<[string, number | undefined]>([
    ['that says how many pods', 4],
    ['that leaves the number of pods to people', undefined],
  ])('of a content %s', (_name, replicas) => {
    let before: string;
    let next: string;

    beforeEach(async () => {
      before = await running([web({ replicas }), settings('old')]);
      if (replicas === undefined) {
        await admin.request({
          method: 'PATCH',
          path: `${deployments()}/web/scale`,
          query: { fieldManager: 'a-person' },
          contentType: 'application/merge-patch+json',
          body: { spec: { replicas: 4 } },
        });
      }
      await podsAre({ 'stable img:1': 4 });
      next = await service.content([web({ replicas, image: 'img:2' }), settings('new')], '2.0.0');
    });

    it('divide the pods, grow, and leave nothing when it is in full', async () => {
      const data = dataOf(await weighed(next, exactly(25)), 'weight');
      expect(data).toMatchObject({ pods: { canary: 1, stable: 3 }, reached: 25 });
      await podsAre({ 'stable img:1': 3, 'canary img:2': 1 });
      expect(await observed(next, true)).toMatchObject({
        stamp: { sequence: 2, ticket: 1 },
        health: { ready: 1, total: 1 },
      });
      // Whoever looks for the whole content must not take the weight for it.
      const whole = await observed(next, undefined, ({ stamp }) => stamp !== undefined);
      expect(whole.stamp).toEqual({ sequence: 1, ticket: 1 });
      const config = `/api/v1/namespaces/${namespace}/configmaps/settings`;
      expect((await admin.request({ method: 'GET', path: config })).body).toMatchObject({
        data: { a: 'old' },
      });

      const untouched = await versions();
      expect(
        dataOf(await service.perform('weight', next, { weight: exactly(25) }), 'weight'),
      ).toEqual({ ...data, partial: undefined });
      expect(await versions()).toEqual(untouched);

      expect(await reached(next, exactly(50))).toMatchObject({
        pods: { canary: 2, stable: 2 },
        reached: 50,
      });
      await podsAre({ 'stable img:1': 2, 'canary img:2': 2 });
      await observed(next, true);

      await inFull(next);
      await podsAre({ 'stable img:2': 4 });
      expect(service.inventory.map(({ name }) => name).sort()).toEqual(['settings', 'web']);
      const { annotations } = (await live('web')).metadata;
      expect(annotations).not.toHaveProperty([RECORD]);
      expect(annotations).not.toHaveProperty([WEIGHT_STAMP]);
      const full = await versions();
      expect(await service.perform('apply', next)).toMatchObject({
        data: { configured: 0, unchanged: 2 },
      });
      expect(await versions()).toEqual(full);
    });

    it('go back: the running version has its pods again, and nothing is left', async () => {
      await weighed(next, exactly(25));
      await podsAre({ 'stable img:1': 3, 'canary img:2': 1 });
      expect(await service.release(before)).toEqual({ result: 'done' });
      await podsAre({ 'stable img:1': 4 });
      expect(service.inventory.map(({ name }) => name).sort()).toEqual(['settings', 'web']);
    });

    it('go on after a kill between any two requests', async () => {
      service.sequence += 1;
      await service.perform('check', next, { weight: exactly(25) });
      const recorded = service.inventory;
      for (let allowed = 0; allowed < 2; allowed += 1) {
        service.inventory = recorded;
        service.ticket += 1;
        const cut = await service.perform('weight', next, { weight: exactly(25) }, opens(allowed));
        expect(cut).toMatchObject({ result: 'leaseLost' });
      }
      service.ticket += 1;
      expect(await service.perform('weight', next, { weight: exactly(25) })).toMatchObject({
        result: 'done',
      });
      await podsAre({ 'stable img:1': 3, 'canary img:2': 1 });
      const [stable, copy] = [await live('web'), await live('web-canary')];
      expect(stable.metadata.annotations).toMatchObject({
        [RECORD]: '4',
        [WEIGHT_STAMP]: `${SERVICE}/2.${service.ticket}`,
        [STAMP]: `${SERVICE}/1.1`,
      });
      expect(copy.metadata.annotations?.[STAMP]).toBe(`${SERVICE}/2.${service.ticket}`);

      // The way back from what only the record before the first write knows.
      service.inventory = recorded;
      expect(await service.release(before)).toEqual({ result: 'done' });
      await podsAre({ 'stable img:1': 4 });
    });

    it('give the pods back although the way back is cut off after each of its requests', async () => {
      await weighed(next, exactly(50));
      service.sequence += 1;
      await service.perform('check', before);
      let outcome: Outcome | undefined;
      for (let allowed = 0; outcome?.result !== 'done'; allowed += 1) {
        expect(allowed).toBeLessThan(10);
        outcome = await service.perform('apply', before, {}, opens(allowed));
      }
      expect(await service.perform('remove', before)).toMatchObject({ result: 'done' });
      await podsAre({ 'stable img:1': 4 });
      expect((await live('web')).metadata.annotations).not.toHaveProperty([RECORD]);
    });
  });

  /** A lease that lasts for so many requests. */
  function opens(requests: number): WriteFence {
    let left = requests;
    return {
      ...OPEN,
      mayWrite: () => {
        left -= 1;
        return left >= 0;
      },
    };
  }

  it('never have a pod too many: where none may come on top, a running one goes first', async () => {
    await running([web({ replicas: 4, maxSurge: 0 })]);
    const next = await service.content(
      [web({ replicas: 4, maxSurge: 0, image: 'img:2' })],
      '2.0.0',
    );
    service.sequence += 1;
    await service.perform('check', next, { weight: exactly(25) });
    await service.perform('weight', next, { weight: exactly(25) }, opens(1));
    expect(numberAt(await live('web'), 'spec', 'replicas')).toBe(3);
    await expect(live('web-canary')).rejects.toMatchObject({ kind: 'notFound' });
    await service.perform('weight', next, { weight: exactly(25) });
    await podsAre({ 'stable img:1': 3, 'canary img:2': 1 });
  });

  it('take running pods only as new ones are ready', async () => {
    await running([web({ replicas: 4, maxSurge: 1 })]);
    const broken = await service.content(
      [web({ replicas: 4, maxSurge: 1, image: 'broken:2' })],
      '2.0.0',
    );
    const first = dataOf(await weighed(broken, exactly(50)), 'weight');
    expect(first).toMatchObject({ pods: { canary: 2, stable: 3 }, reached: 40, partial: true });
    await podsAre({ 'stable img:1': 3, 'canary broken:2': 2 });
    const again = await service.perform('weight', broken, { weight: exactly(50) });
    expect(dataOf(again, 'weight')).toEqual(first);
    expect(numberAt(await live('web'), 'spec', 'replicas')).toBe(3);
  });

  it('are reached once no running pod is too many, not when that was asked for', async () => {
    await running([web({ replicas: 4, maxSurge: 1 })]);
    const next = await service.content(
      [web({ replicas: 4, maxSurge: 1, image: 'img:2' })],
      '2.0.0',
    );
    await weighed(next, exactly(50));
    await reached(next, exactly(50));
    expect(numberAt(await live('web'), 'status', 'replicas')).toBe(2);
  });

  it('leave the running pods alone where an autoscaler counts them', async () => {
    await running([web({ replicas: 4, maxSurge: 2 }), autoscaler]);
    const next = await service.content(
      [web({ replicas: 4, maxSurge: 2, image: 'img:2' }), autoscaler],
      '2.0.0',
    );
    const { findings } = await service.preview(next, [exactly(33), exactly(50)]);
    expect(findings).toMatchObject([
      {
        severity: 'error',
        code: 'WeightNotReachable',
        params: { weight: 50, reachable: '20, 33' },
      },
      { severity: 'warning', code: 'AutoscalerSeesCanary', params: { surge: 2 } },
    ]);
    const { generation } = (await live('web')).metadata;
    expect(dataOf(await weighed(next, exactly(33)), 'weight')).toMatchObject({
      pods: { canary: 2, stable: 4 },
      reached: 33,
    });
    await podsAre({ 'stable img:1': 4, 'canary img:2': 2 });
    expect((await live('web')).metadata.generation).toBe(generation);
    await inFull(next);
    await podsAre({ 'stable img:2': 4 });
  });

  it('bring a cluster where nothing runs yet in full, and say so', async () => {
    const first = await service.content([web({ replicas: 2 }), settings('new')]);
    const { findings } = await service.preview(first, [exactly(25)]);
    expect(findings).toMatchObject([{ severity: 'info', code: 'WeightBroughtInFull' }]);
    expect(dataOf(await weighed(first, exactly(25)), 'weight')).toMatchObject({
      pods: { canary: 2, stable: 0 },
      reached: 100,
    });
    expect(await observed(first, true)).toMatchObject({ health: { ready: 2, total: 2 } });
    service.ticket += 1;
    await service.perform('weight', first, { weight: exactly(25) });
    await observed(first, true, ({ stamp }) => stamp?.ticket === 2);
    await inFull(first);
    await podsAre({ 'stable img:1': 2 });
  });

  it('say before what can be reached, and what only comes in full', async () => {
    await running([web({ replicas: 3, maxSurge: 1 }), settings('old')]);
    const next = await service.content(
      [web({ replicas: 3, maxSurge: 1, image: 'img:2' }), settings('new')],
      '2.0.0',
    );
    const later = { code: 'ComesInFull', params: { objects: `ConfigMap/${namespace}/settings` } };
    expect((await service.preview(next, [exactly(10)])).findings).toMatchObject([
      {
        severity: 'error',
        code: 'WeightNotReachable',
        message: `cluster-a: Deployment/${namespace}/web: cannot have a weight of 10 with 3 pods and up to 1 above; near it are 25, 33, 50. Take one of these, change replicas or maxSurge, or accept the nearest with approximate: true.`,
      },
      later,
    ]);
    expect((await service.preview(next, [nearly(10), exactly(25)])).findings).toMatchObject([
      { severity: 'warning', code: 'WeightApproximated', params: { weight: 10, reached: 25 } },
      later,
    ]);
    expect(await weighed(next, exactly(10))).toMatchObject({
      result: 'refused',
      reason: 'WeightNotReachable',
    });
    expect(await pods()).toEqual({ 'stable img:1': 3 });
    expect(
      dataOf(await service.perform('weight', next, { weight: nearly(10) }), 'weight'),
    ).toMatchObject({ pods: { canary: 1, stable: 3 }, reached: 25 });
  });

  it('are for all Deployments of a content, and for nothing else', async () => {
    const set = {
      ...web({ name: 'store', replicas: 1 }),
      kind: 'StatefulSet',
    };
    await running([web({ replicas: 4 }), web({ name: 'api', replicas: 2 }), set]);
    const changed = [
      web({ replicas: 4, image: 'img:2' }),
      web({ name: 'api', replicas: 2, image: 'img:2' }),
    ];
    const newer = { ...web({ name: 'store', replicas: 1, image: 'img:2' }), kind: 'StatefulSet' };
    const odd = await service.content([...changed, newer], '2.0.0');
    expect((await service.preview(odd, [exactly(50)])).findings).toMatchObject([
      { severity: 'error', code: 'WeightOfOtherKind' },
    ]);
    const next = await service.content([...changed, set], '2.0.0');
    expect((await service.preview(next, [exactly(50)])).findings).toEqual([]);
    await weighed(next, exactly(50));
    expect(await reached(next, exactly(50))).toMatchObject({ pods: { canary: 3, stable: 3 } });
    await podsAre({ 'stable img:1': 4, 'canary img:2': 3 });
    const bare = await service.content([settings('x')], '3.0.0');
    expect((await service.preview(bare, [exactly(50)])).findings).toContainEqual(
      expect.objectContaining({ severity: 'error', code: 'WeightNeedsDeployment' }),
    );
    expect(await service.perform('weight', bare, { weight: exactly(50) })).toMatchObject({
      result: 'refused',
      reason: 'WeightNeedsDeployment',
    });
  });

  it('do not take over a Deployment that happens to have the name of the copy', async () => {
    await running([web({ replicas: 4 })]);
    const own = web({ name: 'web-canary', replicas: 1, image: 'own:1' });
    await admin.request({ method: 'POST', path: deployments(), body: own });
    const next = await service.content([web({ replicas: 4, image: 'img:2' })], '2.0.0');
    expect((await service.preview(next, [exactly(25)])).findings).toMatchObject([
      { severity: 'error', code: 'CopyNameTaken', params: { name: 'web-canary' } },
    ]);
    expect(await weighed(next, exactly(25))).toMatchObject({
      result: 'refused',
      reason: 'CopyNameTaken',
    });
    await inFull(next);
    expect(containersOf(await live('web-canary'))).toMatchObject([{ image: 'own:1' }]);
  });

  it('give way to a newer lease', async () => {
    const before = await running([web({ replicas: 4 })]);
    const next = await service.content([web({ replicas: 4, image: 'img:2' })], '2.0.0');
    service.ticket = 9;
    await weighed(next, exactly(25));
    service.ticket = 8;
    expect(await service.perform('weight', next, { weight: exactly(50) })).toMatchObject({
      result: 'leaseLost',
    });
    // Nor does one that is left over from before: what it would write stays as it is.
    service.sequence = 1;
    const { metadata } = await live('web');
    expect(await service.perform('apply', before)).toMatchObject({ result: 'leaseLost' });
    expect((await live('web')).metadata.generation).toBe(metadata.generation);
    await podsAre({ 'stable img:1': 3, 'canary img:2': 1 });
  });
});
