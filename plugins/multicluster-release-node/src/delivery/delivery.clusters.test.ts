import type { LoggerService } from '@backstage/backend-plugin-api';
import { ConfigReader } from '@backstage/config';
import type { FieldChange } from 'backstage-plugin-multicluster-release-common';
import { createClusterAccess, type ClusterAccessServices } from '../clusters/createClusterAccess';
import { systemTiming } from '../clusters/Timing';
import type { ClusterClient } from '../clusters/types';
import { eventually } from '../clusters/testing/eventually';
import {
  REAL_CLUSTERS_MILLISECONDS,
  realClusters,
  type RealClusters,
} from '../clusters/testing/realClusters';
import type { KubernetesObject, Observer, TargetObservation } from '../ports';
import { createHands } from './createHands';
import { listAt, numberAt, recordAt, valueAt } from './json';
import { managedFieldsOf } from './live/managedFields';
import { containersOf } from './podTemplate';
import { MemoryContents } from './testing/MemoryContents';
import { dataOf, TestService } from './testing/TestService';

jest.setTimeout(120_000);

const SERVICE = 'component:default/shop';
const STAMP = 'multicluster-release.io/stamp';

const logger: LoggerService = {
  error: message => {
    throw new Error(message);
  },
  warn: () => {},
  info: () => {},
  debug: () => {},
  child: () => logger,
};

function deployment(
  members: {
    name?: string;
    replicas?: number;
    image?: string;
    containers?: object[];
    more?: object;
  } = {},
) {
  const {
    name = 'web',
    image = 'img:1',
    containers = [{ name: 'main', image }],
    replicas,
    more,
  } = members;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      ...(replicas !== undefined && { replicas }),
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers } },
      ...more,
    },
  };
}

function configMap(
  name: string,
  data: Record<string, unknown> = { a: 'b' },
  metadata: object = {},
) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data };
}

function budget(name: string) {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name },
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
  };
}

const PATHS: Record<string, (namespace: string) => string> = {
  Deployment: namespace => `/apis/apps/v1/namespaces/${namespace}/deployments`,
  Pod: namespace => `/api/v1/namespaces/${namespace}/pods`,
  PersistentVolumeClaim: namespace => `/api/v1/namespaces/${namespace}/persistentvolumeclaims`,
  ConfigMap: namespace => `/api/v1/namespaces/${namespace}/configmaps`,
  Secret: namespace => `/api/v1/namespaces/${namespace}/secrets`,
  Service: namespace => `/api/v1/namespaces/${namespace}/services`,
  Job: namespace => `/apis/batch/v1/namespaces/${namespace}/jobs`,
  PodDisruptionBudget: namespace => `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`,
  HorizontalPodAutoscaler: namespace =>
    `/apis/autoscaling/v2/namespaces/${namespace}/horizontalpodautoscalers`,
  Namespace: () => '/api/v1/namespaces',
};

describe('delivery to a real API server, with the rights of the shipped role', () => {
  let clusters: RealClusters;
  let access: ClusterAccessServices;
  let admin: ClusterClient;
  let contents: MemoryContents;
  let namespace: string;
  let service: TestService;
  let count = 0;
  const observers: Observer[] = [];

  beforeAll(async () => {
    clusters = await realClusters('cluster-a');
    access = createClusterAccess({
      config: new ConfigReader({
        multiclusterRelease: { kubeconfig: { path: clusters.kubeconfig } },
      }),
      logger,
    });
    await access.registry.refresh();
    admin = access.registry.get('cluster-a-admin');
  }, REAL_CLUSTERS_MILLISECONDS);

  afterAll(async () => {
    await access?.close();
    await clusters?.remove();
  }, 60_000);

  beforeEach(async () => {
    count += 1;
    namespace = `suite-${count}`;
    contents = new MemoryContents();
    await create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    service = newService();
  });

  afterEach(async () => {
    observers.splice(0).forEach(observer => observer.close());
    await admin.request({ method: 'DELETE', path: `/api/v1/namespaces/${namespace}` });
  });

  function newService(name = SERVICE, cluster = 'cluster-a') {
    return new TestService(hands(), contents, { cluster, namespace }, name);
  }

  function hands() {
    return createHands({ clusters: access.registry, contents, timing: systemTiming });
  }

  /** As a person with kubectl create would. */
  async function create(object: object, manager = 'a-person'): Promise<KubernetesObject> {
    const { kind, metadata } = object as KubernetesObject;
    const path = PATHS[kind](metadata.namespace ?? namespace);
    const { body } = await admin.request<KubernetesObject>({
      method: 'POST',
      path,
      query: { fieldManager: manager },
      body: object,
    });
    return body;
  }

  async function alter(
    kind: string,
    name: string,
    patch: object,
    query: Record<string, string> = {},
    subresource = '',
  ) {
    await admin.request({
      method: 'PATCH',
      path: `${PATHS[kind](namespace)}/${name}${subresource}`,
      query: { fieldManager: 'a-person', ...query },
      contentType: 'application/merge-patch+json',
      body: patch,
    });
  }

  async function live(kind: string, name: string, where = namespace): Promise<KubernetesObject> {
    const { body } = await admin.request<KubernetesObject>({
      method: 'GET',
      path: `${PATHS[kind](where)}/${name}`,
    });
    return body;
  }

  async function names(kind: string): Promise<string[]> {
    const { body } = await admin.request({ method: 'GET', path: PATHS[kind](namespace) });
    return listAt(body, 'items')
      .map(item => (item as KubernetesObject).metadata.name)
      .filter(name => name !== 'kube-root-ca.crt')
      .sort();
  }

  async function versions(): Promise<Record<string, string | undefined>> {
    const found = await Promise.all(
      ['Deployment', 'ConfigMap', 'Secret', 'Service', 'PodDisruptionBudget'].map(async kind => {
        const { body } = await admin.request({ method: 'GET', path: PATHS[kind](namespace) });
        return listAt(body, 'items').map(item => {
          const { metadata } = item as KubernetesObject;
          return [`${kind}/${metadata.name}`, metadata.resourceVersion] as const;
        });
      }),
    );
    return Object.fromEntries(found.flat());
  }

  /** Watches the release, and answers the first observation that holds. */
  async function observed(
    digest: string | undefined,
    what: string,
    holds: (observation: TargetObservation) => boolean,
    writtenAt?: number,
  ): Promise<TargetObservation> {
    const observer = hands().observer(() => {});
    observers.push(observer);
    observer.watch([service.observeRequest(digest, writtenAt)]);
    return eventually(what, () => observer.latest().find(holds), 60_000).catch(error => {
      throw new Error(`${error.message}; last seen: ${JSON.stringify(observer.latest())}`);
    });
  }

  const isHealthy = ({ health }: TargetObservation) => health.state === 'Healthy';
  const pointers = (fields: FieldChange[]) =>
    fields.map(({ kind, pointer }) => `${kind} ${pointer}`);

  describe('apply', () => {
    const manifests = [
      deployment({ replicas: 2 }),
      configMap('settings'),
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'token' }, stringData: { k: 'v' } },
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'web' },
        spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
      },
      budget('web'),
    ];

    it('creates everything, stamped, and becomes healthy', async () => {
      const digest = await service.content(manifests);
      service.sequence = 1;
      await service.perform('check', digest);
      const writtenAt = Date.now();
      const data = dataOf(await service.perform('apply', digest), 'apply');
      expect(data).toMatchObject({ created: 5, configured: 0, unchanged: 0 });
      expect(data.inventory).toHaveLength(5);
      expect(data.inventory.every(({ uid, createdByUs }) => uid && createdByUs)).toBe(true);
      const web = await live('Deployment', 'web');
      expect(web.metadata.annotations).toMatchObject({
        [STAMP]: `${SERVICE}/1.1`,
        'multicluster-release.io/content': digest,
      });
      expect(
        managedFieldsOf(web).find(({ manager }) => manager === 'multicluster-release')?.operation,
      ).toBe('Apply');
      const observation = await observed(digest, 'it is healthy', isHealthy, writtenAt);
      expect(observation).toMatchObject({
        reachable: true,
        clusterState: 'ok',
        stamp: { sequence: 1, ticket: 1 },
        health: { state: 'Healthy', ready: 2, total: 2 },
      });
      expect(observation.at).toBeGreaterThanOrEqual(writtenAt);
    });

    it('changes nothing the second time, and the preview says so', async () => {
      const digest = await service.content(manifests);
      await service.release(digest);
      await observed(digest, 'it is healthy', isHealthy);
      const before = await versions();
      const data = dataOf(await service.perform('apply', digest), 'apply');
      expect(data).toMatchObject({ created: 0, configured: 0, unchanged: 5 });
      expect(await versions()).toEqual(before);
      const { changes, findings, risks } = await service.preview(digest);
      expect(changes.map(({ change }) => change)).toEqual(Array(5).fill('unchanged'));
      expect({ findings, risks }).toEqual({ findings: [], risks: [] });
    });

    it('writes only its stamp for a new ticket: no pod is restarted', async () => {
      const digest = await service.content(manifests);
      await service.release(digest);
      await observed(digest, 'it is healthy', isHealthy);
      const [before, pods] = [await live('Deployment', 'web'), await names('Pod')];
      service.ticket = 2;
      expect(dataOf(await service.perform('apply', digest), 'apply')).toMatchObject({
        configured: 5,
      });
      const after = await live('Deployment', 'web');
      expect(after.metadata.annotations?.[STAMP]).toBe(`${SERVICE}/1.2`);
      expect(after.spec).toEqual(before.spec);
      await observed(
        digest,
        'the new stamp is healthy',
        seen => isHealthy(seen) && seen.stamp?.ticket === 2,
      );
      expect(await names('Pod')).toEqual(pods);
    });

    it('takes away fields and keys that the new content does not have', async () => {
      await service.release(
        await service.content([
          deployment({ more: { minReadySeconds: 3 } }),
          configMap('settings', { a: '1', b: '2' }),
        ]),
      );
      const next = await service.content([
        deployment({ image: 'img:2' }),
        configMap('settings', { b: '3' }),
      ]);
      const { changes } = await service.preview(next);
      expect(changes.flatMap(({ fields }) => pointers(fields)).sort()).toEqual([
        'changed /data/b',
        'changed /spec/template/spec/containers/0/image',
        'removed /data/a',
        'removed /spec/minReadySeconds',
      ]);
      expect(await service.release(next)).toEqual({ result: 'done' });
      expect((await live('ConfigMap', 'settings')).data).toEqual({ b: '3' });
      expect((await live('Deployment', 'web')).spec).not.toHaveProperty('minReadySeconds');
    });

    /** Field case C03. */
    it('brings a definition and its custom resource at once, key for key', async () => {
      const byAdmin = newService(SERVICE, 'cluster-a-admin');
      const definition = tankDefinition(`tanks.s${count}.example.org`);
      const tank = {
        apiVersion: `s${count}.example.org/v1`,
        kind: 'Tank',
        metadata: { name: 'one' },
        spec: { timeout: '5s', template: { anything: { goes: [1, 'two'] } } },
      };
      const digest = await byAdmin.content([tank, definition, configMap('settings')]);
      const { changes, findings } = await byAdmin.preview(digest);
      expect(findings).toEqual([]);
      expect(changes.find(({ kind }) => kind === 'Tank')?.notFullyChecked).toContain(
        'CustomResourceDefinition comes with this release',
      );
      expect(await byAdmin.release(digest)).toEqual({ result: 'done' });
      const { body } = await admin.request<KubernetesObject>({
        method: 'GET',
        path: `/apis/s${count}.example.org/v1/namespaces/${namespace}/tanks/one`,
      });
      expect(body.spec).toEqual(tank.spec);
      const { body: kept } = await admin.request<KubernetesObject>({
        method: 'GET',
        path: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/tanks.s${count}.example.org`,
      });
      expect(kept.spec).toMatchObject(definition.spec);
      expect(kept.metadata.annotations ?? {}).not.toHaveProperty(STAMP);
    });

    it('refuses a kind that the cluster does not serve, before anything is written', async () => {
      const digest = await service.content([
        configMap('settings'),
        { apiVersion: 'acme.io/v1', kind: 'Queue', metadata: { name: 'q' } },
      ]);
      expect((await service.preview(digest)).findings).toEqual([
        expect.objectContaining({
          severity: 'error',
          code: 'KindNotServed',
          message: expect.stringContaining(`cluster-a: Queue/${namespace}/q: `),
        }),
      ]);
      expect(await service.release(digest)).toMatchObject({
        result: 'refused',
        reason: 'KindNotServed',
      });
      expect(await names('ConfigMap')).toEqual([]);
    });

    it('says that the namespace is missing', async () => {
      const elsewhere = new TestService(
        hands(),
        contents,
        { cluster: 'cluster-a', namespace: 'nowhere' },
        SERVICE,
      );
      const { findings } = await elsewhere.preview(
        await elsewhere.content([configMap('settings')]),
      );
      expect(findings.map(({ code }) => code)).toContain('NamespaceMissing');
      expect(findings.every(({ message }) => message.startsWith('cluster-a: '))).toBe(true);
    });
  });

  describe('the fence', () => {
    it('lets no write start once the lease would end', async () => {
      const digest = await service.content([configMap('settings')]);
      service.sequence = 1;
      const closed = { mayWrite: () => false, signal: new AbortController().signal };
      expect(await service.perform('apply', digest, {}, closed)).toMatchObject({
        result: 'leaseLost',
      });
      expect(await names('ConfigMap')).toEqual([]);
    });

    it('lets a late writer with an older stamp change and remove nothing', async () => {
      const late = newService();
      late.sequence = 1;
      service.sequence = 1;
      const settings = await service.content([configMap('settings', { by: 'newer' })]);
      await service.perform('check', settings);
      service.ticket = 2;
      await service.perform('apply', settings);
      const old = await late.content([configMap('settings', { by: 'late' })]);
      expect(await late.perform('check', old)).toMatchObject({ result: 'leaseLost' });
      expect(await late.perform('apply', old)).toMatchObject({
        result: 'leaseLost',
        message: expect.stringContaining('bears a newer stamp than 1.1'),
      });
      late.inventory = service.inventory;
      expect(await late.perform('remove', undefined)).toMatchObject({ result: 'leaseLost' });
      expect((await live('ConfigMap', 'settings')).data).toEqual({ by: 'newer' });
    });

    it('refuses what belongs to another service or tool, and names it', async () => {
      const other = newService('component:default/cart');
      await other.release(await other.content([configMap('settings')]));
      await create(
        configMap('chart', { a: 'b' }, { annotations: { 'meta.helm.sh/release-name': 'shop' } }),
      );
      const digest = await service.content([configMap('settings'), configMap('chart')]);
      const { findings } = await service.preview(digest);
      expect(findings.map(({ code, params }) => [code, params.owner])).toEqual([
        ['OwnedByOther', 'service component:default/cart'],
        ['OwnedByOther', 'Helm (meta.helm.sh/release-name: shop)'],
      ]);
      service.sequence = 1;
      for (const kind of ['check', 'apply'] as const) {
        expect(await service.perform(kind, digest)).toMatchObject({
          result: 'refused',
          reason: 'OwnedByOther',
          message: expect.stringContaining('component:default/cart'),
        });
      }
    });

    it('stops where somebody has changed what the preview did not show', async () => {
      await service.release(await service.content([deployment({ replicas: 2 })]));
      const next = await service.content([deployment({ replicas: 3 })]);
      const { risks } = await service.preview(next);
      await alter('Deployment', 'web', { spec: { replicas: 5 } });
      const outcome = await service.release(next, risks);
      const risk = `conflict:Deployment/${namespace}/web:a-person`;
      expect(outcome).toMatchObject({ result: 'changedSincePreview', risks: [risk] });
      expect((await service.preview(next)).risks).toEqual([risk]);
      expect(await service.release(next, [risk])).toEqual({ result: 'done' });
      expect(numberAt(await live('Deployment', 'web'), 'spec', 'replicas')).toBe(3);
    });
  });

  describe('autoscalers (field case C06)', () => {
    const autoscaler = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'shop' },
      spec: {
        minReplicas: 3,
        maxReplicas: 20,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'shop' },
      },
    };
    const shop = (replicas: number | undefined, image: string) =>
      deployment({ name: 'shop', replicas, image });

    /** The autoscaler decides nothing without a metrics API, so the count is set through the scale subresource, as it would. */
    const scaleTo = (replicas: number) =>
      alter(
        'Deployment',
        'shop',
        { spec: { replicas } },
        { fieldManager: 'kube-controller-manager' },
        '/scale',
      );

    /** Every count that the Deployment had while this ran. */
    async function countsDuring(work: () => Promise<unknown>): Promise<number[]> {
      const counts: number[] = [];
      const handle = admin.watch(
        { path: PATHS.Deployment(namespace) },
        {
          onChanges: changes =>
            counts.push(...changes.map(({ object }) => numberAt(object, 'spec', 'replicas') ?? 1)),
        },
      );
      await eventually('the watch is live', () => handle.state().phase === 'live');
      await work();
      const { generation = 0 } = (await live('Deployment', 'shop')).metadata;
      await eventually('the watch has seen the last write', () =>
        handle.objects().some(({ metadata }) => (metadata.generation ?? 0) >= generation),
      );
      handle.close();
      return counts;
    }

    it.each([
      ['manifest-still-says-two, we alone own the count', 2, false],
      ['manifest-drops-the-field, we alone own the count', undefined, false],
      ['manifest-still-says-two, the autoscaler has written it', 2, true],
      ['manifest-drops-the-field, the autoscaler has written it', undefined, true],
    ])('%s', async (_name, replicas, scaled) => {
      await service.release(await service.content([shop(scaled ? 2 : 8, 'img:1')]));
      await create(autoscaler);
      if (scaled) {
        await scaleTo(8);
      }
      const next = await service.content([shop(replicas, 'img:2')]);
      const { changes, risks } = await service.preview(next);
      expect(pointers(changes[0].fields)).toEqual([
        'changed /spec/template/spec/containers/0/image',
      ]);
      expect(risks).toEqual([]);
      const counts = await countsDuring(async () =>
        expect(await service.release(next)).toEqual({ result: 'done' }),
      );
      expect(Math.min(...counts)).toBe(8);
      expect(numberAt(await live('Deployment', 'shop'), 'spec', 'replicas')).toBe(8);
      const before = (await live('Deployment', 'shop')).metadata.generation;
      expect(dataOf(await service.perform('apply', next), 'apply').unchanged).toBe(1);
      await scaleTo(12);
      expect(dataOf(await service.perform('apply', next), 'apply').created).toBe(0);
      expect(numberAt(await live('Deployment', 'shop'), 'spec', 'replicas')).toBe(12);
      expect((await live('Deployment', 'shop')).metadata.generation).toBe((before ?? 0) + 1);
    });

    it('no-autoscaler-present', async () => {
      await service.release(await service.content([shop(8, 'img:1')]));
      expect(await service.release(await service.content([shop(2, 'img:2')]))).toEqual({
        result: 'done',
      });
      expect(numberAt(await live('Deployment', 'shop'), 'spec', 'replicas')).toBe(2);
    });

    it('that come with the same release keep the count that is live', async () => {
      await service.release(await service.content([shop(8, 'img:1')]));
      expect(
        await service.release(await service.content([shop(undefined, 'img:2'), autoscaler])),
      ).toEqual({ result: 'done' });
      expect(numberAt(await live('Deployment', 'shop'), 'spec', 'replicas')).toBe(8);
    });

    it('that go leave the count to the manifest again', async () => {
      await service.release(await service.content([shop(8, 'img:1')]));
      await create(autoscaler);
      await service.release(await service.content([shop(2, 'img:2')]));
      await admin.request({
        method: 'DELETE',
        path: `${PATHS.HorizontalPodAutoscaler(namespace)}/shop`,
      });
      expect(await service.release(await service.content([shop(4, 'img:3')]))).toEqual({
        result: 'done',
      });
      expect(numberAt(await live('Deployment', 'shop'), 'spec', 'replicas')).toBe(4);
    });
  });

  describe('prune (field case C13)', () => {
    it('removes what we made and nothing else', async () => {
      const teamB = `${namespace}-b`;
      await create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: teamB } });
      await create({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'tls', namespace },
        data: { k: 'dg==' },
      });
      await service.release(await service.content([configMap('app')]));
      const next = await service.content([configMap('app', { a: 'b' }, { namespace: teamB })]);
      const { changes, risks } = await service.preview(next);
      expect(changes.map(({ change, namespace: where }) => [change, where])).toEqual([
        ['created', teamB],
        ['deleted', namespace],
      ]);
      expect(risks).toEqual([`removal:ConfigMap/${namespace}/app`]);
      expect(await service.release(next, risks)).toEqual({ result: 'done' });
      expect(await names('ConfigMap')).toEqual([]);
      expect(await names('Secret')).toEqual(['tls']);
      expect((await live('Namespace', namespace)).metadata).not.toHaveProperty('deletionTimestamp');
      expect((await live('ConfigMap', 'app', teamB)).data).toEqual({ a: 'b' });
      expect(service.inventory.map(item => `${item.kind}/${item.namespace}/${item.name}`)).toEqual([
        `ConfigMap/${teamB}/app`,
      ]);
      await admin.request({ method: 'DELETE', path: `/api/v1/namespaces/${teamB}` });
    });

    it('keeps objects that were there before us, and those that somebody made anew', async () => {
      await create(configMap('theirs', { old: 'yes' }));
      await service.release(
        await service.content([configMap('theirs'), configMap('ours'), configMap('remade')]),
      );
      await admin.request({ method: 'DELETE', path: `${PATHS.ConfigMap(namespace)}/remade` });
      await create(configMap('remade', { by: 'somebody' }));
      const next = await service.content([configMap('next')]);
      const { risks } = await service.preview(next);
      expect(risks).toEqual([`removal:ConfigMap/${namespace}/ours`]);
      expect(await service.release(next, risks)).toEqual({ result: 'done' });
      expect(await names('ConfigMap')).toEqual(['next', 'remade', 'theirs']);
    });

    it('removes claims only where the template names their kind', async () => {
      const claim = {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      };
      await service.release(await service.content([configMap('app'), claim]));
      const next = await service.content([configMap('app')]);
      expect((await service.preview(next)).risks).toEqual([]);
      expect(await service.release(next)).toEqual({ result: 'done' });
      expect(await names('PersistentVolumeClaim')).toEqual(['data']);
      service.pruneAlso = ['PersistentVolumeClaim'];
      const { risks } = await service.preview(next);
      expect(risks).toEqual([`removal:PersistentVolumeClaim/${namespace}/data`]);
      await service.release(next, risks);
      await eventually(
        'the claim goes',
        async () =>
          (await deleting('PersistentVolumeClaim')).length > 0 ||
          (await names('PersistentVolumeClaim')).length === 0,
      );
    });

    async function deleting(kind: string) {
      const { body } = await admin.request({ method: 'GET', path: PATHS[kind](namespace) });
      return listAt(body, 'items').filter(
        item => valueAt(item, 'metadata', 'deletionTimestamp') !== undefined,
      );
    }
  });

  /** Field case C18. */
  describe('a release that was refused half-way', () => {
    const first = [deployment({ replicas: 1 })];
    const second = (broken: object) => [
      deployment({
        replicas: 1,
        containers: [
          { name: 'main', image: 'img:2', command: ['no-such-binary'] },
          { name: 'helper', image: 'help:1' },
        ],
      }),
      configMap('only-in-2'),
      broken,
    ];

    it.each([
      ['before its workloads', configMap('broken', { a: '1' }), 'configmaps', ''],
      ['after its workloads', budget('broken'), 'poddisruptionbudgets', 'policy'],
    ])('%s goes back to what a fresh install gives', async (_name, broken, resource, group) => {
      expect(await service.release(await service.content(first))).toEqual({ result: 'done' });
      const fresh = await live('Deployment', 'web');
      const back = service.current;
      const digest = await service.content(second(broken));
      service.sequence += 1;
      expect(await service.perform('check', digest)).toMatchObject({ result: 'done' });
      const lift = await refuseNamed('broken', group, resource);
      const outcome = await eventually('the policy acts', async () => {
        const tried = await service.perform('apply', digest);
        return tried.result === 'refused' && tried;
      });
      expect(outcome).toMatchObject({ message: expect.stringContaining(`/${namespace}/broken`) });
      await lift();
      expect(
        await service.release(back, [
          `removal:ConfigMap/${namespace}/only-in-2`,
          `removal:${broken.kind}/${namespace}/broken`,
        ]),
      ).toEqual({ result: 'done' });
      const after = await live('Deployment', 'web');
      expect(containersOf(after)).toEqual(containersOf(fresh));
      expect(after.spec).toEqual(fresh.spec);
      expect(await names('ConfigMap')).toEqual([]);
      expect(await names('PodDisruptionBudget')).toEqual([]);
    });

    it('is refused at the preview where the API server can say so', async () => {
      const digest = await service.content(second(configMap('broken', { a: 1 })));
      const { findings } = await service.preview(digest);
      expect(findings).toEqual([
        expect.objectContaining({
          severity: 'error',
          code: 'RefusedByCluster',
          message: expect.stringContaining(`cluster-a: ConfigMap/${namespace}/broken: `),
        }),
      ]);
    });

    it('of a first release leaves nothing', async () => {
      const digest = await service.content(second(configMap('broken', { a: '1' })));
      service.sequence = 1;
      await service.perform('check', digest);
      await service.perform('apply', digest);
      service.sequence = 2;
      expect(await service.perform('remove', undefined)).toMatchObject({ result: 'done' });
      await eventually(
        'all is gone',
        async () => (await names('Deployment')).length + (await names('ConfigMap')).length === 0,
      );
      expect(service.inventory).toEqual([]);
    });

    async function refuseNamed(
      name: string,
      group: string,
      resource: string,
    ): Promise<() => Promise<void>> {
      const base = '/apis/admissionregistration.k8s.io/v1';
      const own = `${namespace}-${resource}`;
      const policy = {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicy',
        metadata: { name: own },
        spec: {
          failurePolicy: 'Fail',
          matchConstraints: {
            resourceRules: [
              {
                apiGroups: [group],
                apiVersions: ['v1'],
                operations: ['CREATE', 'UPDATE'],
                resources: [resource],
              },
            ],
          },
          validations: [
            {
              expression: `object.metadata.name != '${name}' || object.metadata.namespace != '${namespace}'`,
              message: 'not today',
            },
          ],
        },
      };
      const binding = {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicyBinding',
        metadata: { name: own },
        spec: { policyName: own, validationActions: ['Deny'] },
      };
      await admin.request({
        method: 'POST',
        path: `${base}/validatingadmissionpolicies`,
        body: policy,
      });
      await admin.request({
        method: 'POST',
        path: `${base}/validatingadmissionpolicybindings`,
        body: binding,
      });
      return async () => {
        await admin.request({
          method: 'DELETE',
          path: `${base}/validatingadmissionpolicybindings/${own}`,
        });
        await admin.request({
          method: 'DELETE',
          path: `${base}/validatingadmissionpolicies/${own}`,
        });
      };
    }
  });

  /** Field case C48. */
  describe('fields that cannot be changed', () => {
    const job = (image: string) => ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'migrate' },
      spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'm', image }] } } },
    });
    const operator = (version: string) => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'op' },
      spec: {
        selector: { matchLabels: { app: 'op', version } },
        template: {
          metadata: { labels: { app: 'op', version } },
          spec: { containers: [{ name: 'm', image: 'm:1' }] },
        },
      },
    });

    it.each([
      [
        'job-image',
        job('m:1'),
        job('m:2'),
        'the Job would run again',
        '/spec/template/spec/containers/0/image',
      ],
      [
        'selector-gets-a-version-label',
        operator('1'),
        operator('2'),
        'there would be a downtime',
        '/spec/selector/matchLabels/version',
      ],
    ])('%s', async (_name, before, after, sideEffect, pointer) => {
      await service.release(await service.content([before]));
      const next = await service.content([after]);
      const { changes, findings, risks } = await service.preview(next);
      expect(changes[0].change).toBe('replaceNeeded');
      expect(changes[0].fields.map(field => field.pointer)).toContain(pointer);
      expect(findings).toEqual([
        expect.objectContaining({
          severity: 'error',
          code: 'ReplaceNeeded',
          message: expect.stringContaining(sideEffect),
          params: expect.objectContaining({ sideEffect }),
        }),
      ]);
      expect(risks).toEqual([`replace:${before.kind}/${namespace}/${before.metadata.name}`]);
      expect(await service.release(next)).toMatchObject({ result: 'changedSincePreview', risks });
    });

    it('job-unchanged', async () => {
      const digest = await service.content([job('m:1')]);
      await service.release(digest);
      const { changes, findings } = await service.preview(digest);
      expect(findings).toEqual([]);
      expect(changes.map(({ change }) => change)).toEqual(['unchanged']);
      await observed(digest, 'it completes', isHealthy);
    });
  });

  /** Field case C14. */
  describe('Secrets', () => {
    const FORBIDDEN = /CANARY-TOKEN|Q0FOQVJZLVRPS0VO/;
    const secret = (members: object) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's' },
      ...members,
    });

    it('show in a preview that they change, and nothing else', async () => {
      await create(
        { ...secret({ data: { k: 'b2xk', gone: 'eA==' } }), metadata: { name: 's', namespace } },
        'kubectl-create',
      );
      const { changes } = await service.preview(
        await service.content([
          secret({ stringData: { k: 'CANARY-TOKEN', more: 'CANARY-TOKEN' } }),
        ]),
      );
      expect(
        changes[0].fields
          .filter(({ pointer }) => pointer.startsWith('/data'))
          .sort((a, b) => a.pointer.localeCompare(b.pointer)),
      ).toEqual([
        { kind: 'removed', pointer: '/data/gone', before: 'value changed' },
        { kind: 'changed', pointer: '/data/k', before: 'value changed', after: 'value changed' },
        { kind: 'added', pointer: '/data/more', after: 'value changed' },
      ]);
      expect(JSON.stringify(changes)).not.toMatch(FORBIDDEN);
    });

    it.each([
      ['an unfit type', { type: 'kubernetes.io/tls', stringData: { k: 'CANARY-TOKEN' } }],
      ['a key that is none', { stringData: { 'no key': 'CANARY-TOKEN' } }],
      ['data that is not base64', { data: { k: 'CANARY-TOKEN, no base64' } }],
    ])('are not quoted when they are refused for %s', async (_name, members) => {
      // Past rendering, which would have found it: the API server has to say it.
      const object = { ...secret(members), metadata: { name: 's', namespace } };
      const digest = await contents.put({ version: '1.0.0', objects: [object] });
      const preview = await service.preview(digest);
      expect(preview.findings).toEqual([
        expect.objectContaining({ severity: 'error', code: 'RefusedByCluster' }),
      ]);
      service.sequence = 1;
      const outcomes = [
        await service.perform('check', digest),
        await service.perform('apply', digest),
      ];
      expect(outcomes.map(({ result }) => result)).toEqual(['refused', 'refused']);
      expect(JSON.stringify([preview, outcomes])).not.toMatch(FORBIDDEN);
    });
  });

  describe('adoption', () => {
    /** As kubectl apply leaves it. */
    function appliedByKubectl() {
      const object = deployment({
        replicas: 2,
        containers: [{ name: 'main', image: 'img:0', command: ['run'] }],
        more: { minReadySeconds: 2 },
      });
      const annotations = {
        'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(object),
      };
      return { ...object, metadata: { ...object.metadata, annotations, labels: { team: 'x' } } };
    }

    it('says what it takes over, really drops what the manifest drops, and has a way back', async () => {
      const before = await create(appliedByKubectl(), 'kubectl-client-side-apply');
      const digest = await service.content([deployment({ replicas: 3 }), configMap('settings')]);
      const { changes, findings, risks } = await service.preview(digest);
      expect(findings.map(({ code }) => code)).toEqual(['Adopts', 'RestartsPods']);
      expect(pointers(changes[0].fields)).toEqual(
        expect.arrayContaining([
          'changed /spec/replicas',
          'removed /spec/minReadySeconds',
          'removed /metadata/labels/team',
          'removed /spec/template/spec/containers/0/command',
          'added /spec/template/metadata/labels/multicluster-release.io~1track',
        ]),
      );
      expect(await service.release(digest, risks)).toEqual({ result: 'done' });
      const adopted = await live('Deployment', 'web');
      expect(pointers(changes[0].fields)).not.toContain('removed /spec');
      expect(adopted.spec).not.toHaveProperty('minReadySeconds');
      expect(containersOf(adopted)[0]).not.toHaveProperty('command');
      expect(adopted.metadata.annotations).not.toHaveProperty(
        'kubectl.kubernetes.io/last-applied-configuration',
      );
      expect(managedFieldsOf(adopted).map(({ manager }) => manager)).not.toContain(
        'kubectl-client-side-apply',
      );
      expect(dataOf(await service.perform('apply', digest), 'apply')).toMatchObject({
        unchanged: 2,
      });

      expect(service.beforeDigest).toBeDefined();
      expect(
        await service.release(service.beforeDigest, [`removal:ConfigMap/${namespace}/settings`]),
      ).toEqual({ result: 'done' });
      const after = await live('Deployment', 'web');
      expect(after.spec).toEqual(before.spec);
      expect(after.metadata.labels).toEqual({ team: 'x' });
      expect(await names('ConfigMap')).toEqual([]);
      await observed(service.beforeDigest, 'what ran before is healthy', isHealthy);
    });

    it('predicts exactly what it does', async () => {
      await create(appliedByKubectl(), 'kubectl-client-side-apply');
      const digest = await service.content([deployment({ replicas: 3 })]);
      const before = await live('Deployment', 'web');
      const { changes, risks } = await service.preview(digest);
      await service.release(digest, risks);
      const after = await live('Deployment', 'web');
      const { fieldChanges } = await import('./fieldChanges');
      expect(changes[0].fields).toEqual(fieldChanges(before, after));
    });
  });

  describe('the observer', () => {
    it('sees a version fail whose image is not there, and the old one come back', async () => {
      const good = await service.content([deployment({ replicas: 2, image: 'img:1' })], '1');
      await service.release(good);
      await observed(good, 'the first version is healthy', isHealthy);
      const bad = await service.content([deployment({ replicas: 2, image: 'nopull:2' })], '2');
      const writtenAt = Date.now();
      expect(await service.release(bad)).toEqual({ result: 'done' });
      const failed = await observed(
        bad,
        'it fails',
        ({ health }) => health.state === 'Failed',
        writtenAt,
      );
      expect(Date.now() - writtenAt).toBeGreaterThan(20_000);
      expect(failed.health).toMatchObject({
        reason: 'ImagePullBackOff',
        message: expect.stringMatching(
          /^Deployment\/.*\/web: pod web-.*: container main: ImagePullBackOff/,
        ),
      });
      expect(failed.stamp).toEqual({ sequence: 2, ticket: 1 });
      await service.release(good);
      const healed = await observed(good, 'it is healthy again', isHealthy, Date.now());
      expect(healed).toMatchObject({ stamp: { sequence: 3 }, health: { ready: 2, total: 2 } });
    });

    /** Field case C02: nothing that runs there counts for what is not there yet. */
    it('reports the lowest stamp, and none where an object is missing', async () => {
      const one = await service.content([configMap('a')]);
      await service.release(one);
      const two = await service.content([configMap('a'), configMap('b')]);
      expect(await observed(two, 'it is known', () => true)).toMatchObject({
        health: { state: 'Progressing', message: `ConfigMap/${namespace}/b: is not there` },
      });
      expect((await observed(two, 'it is known', () => true)).stamp).toBeUndefined();
      service.sequence = 2;
      await service.perform('apply', two);
      service.ticket = 2;
      await service.perform('apply', one);
      expect(
        await observed(two, 'both are there', ({ stamp }) => stamp !== undefined),
      ).toMatchObject({ stamp: { sequence: 2, ticket: 1 } });
    });

    it('tells of a change without being asked', async () => {
      const digest = await service.content([configMap('a')]);
      await service.release(digest);
      let told = 0;
      const observer = hands().observer(() => {
        told += 1;
      });
      observers.push(observer);
      observer.watch([service.observeRequest(digest)]);
      await eventually('it is known', () => observer.latest().find(isHealthy));
      const before = told;
      await admin.request({ method: 'DELETE', path: `${PATHS.ConfigMap(namespace)}/a` });
      await eventually(
        'the loss is told',
        () => told > before && observer.latest()[0].stamp === undefined,
      );
      expect(recordAt(observer.latest()[0], 'health').state).toBe('Progressing');
    });

    it('shows a cluster that is gone as unreachable, and nobody else', async () => {
      const digest = await service.content([configMap('a')]);
      await service.release(digest);
      const observer = hands().observer(() => {});
      observers.push(observer);
      const unknown = {
        ...service.observeRequest(digest),
        key: 'nowhere/x',
        target: { cluster: 'nowhere', namespace: 'x' },
      };
      observer.watch([service.observeRequest(digest), unknown]);
      await eventually(
        'the good one is healthy',
        () => observer.latest().find(({ key }) => key !== 'nowhere/x')?.health.state === 'Healthy',
      );
      expect(observer.latest().find(({ key }) => key === 'nowhere/x')).toMatchObject({
        reachable: false,
        health: { state: 'Unknown' },
      });
      await clusters.kill('cluster-a');
      await eventually('it is unreachable', () =>
        observer.latest().some(({ key, reachable }) => key !== 'nowhere/x' && !reachable),
      );
      const outcome = await service.perform('apply', digest);
      expect(outcome).toMatchObject({ result: 'unreachable' });
      expect(await service.preview(digest)).toMatchObject({
        clusterState: 'unreachable',
        changes: [],
        findings: [{ severity: 'warning' }],
      });
      await clusters.up('cluster-a');
      await eventually('it is back', () => observer.latest().find(isHealthy), 60_000);
    });
  });
});

function tankDefinition(name: string) {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      group: name.slice('tanks.'.length),
      scope: 'Namespaced',
      names: { plural: 'tanks', singular: 'tank', kind: 'Tank' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: {
                  type: 'object',
                  properties: {
                    timeout: { 'x-kubernetes-int-or-string': true },
                    template: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                  },
                },
              },
            },
          },
        },
      ],
    },
  };
}
