import type { FieldChange } from 'backstage-plugin-multicluster-release-common';
import { eventually } from '../clusters/testing/eventually';
import type { ClusterClient } from '../clusters/types';
import type { KubernetesObject, TargetObservation } from '../ports';
import { numberAt, recordAt } from './json';
import { managedFieldsOf } from './live/managedFields';
import { byAPerson, pathOf } from './testing/byAPerson';
import type { MemoryContents } from './testing/MemoryContents';
import { budget, configMap, deployment } from './testing/manifests';
import { ADMIN, CLUSTER, SERVICE, suiteOnRealCluster } from './testing/suiteOnRealCluster';
import { dataOf, TestService } from './testing/TestService';

const STAMP = 'multicluster-release.io/stamp';

describe('delivery to a real API server, with the rights of the shipped role', () => {
  let admin: ClusterClient;
  let contents: MemoryContents;
  let namespace: string;
  let service: TestService;
  const suite = suiteOnRealCluster('suite', place => {
    ({ admin, contents, namespace, service } = place);
  });
  const { hands, newService } = suite;
  const { create, alter, live, names, versions } = byAPerson(() => ({ admin, namespace }));

  const observed = (
    digest: string | undefined,
    what: string,
    holds: (observation: TargetObservation) => boolean,
    writtenAt?: number,
  ) => suite.observed(service.observeRequest(digest, writtenAt), what, holds);

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
      const byAdmin = newService(SERVICE, ADMIN);
      const definition = tankDefinition(`tanks.${namespace}.example.org`);
      const tank = {
        apiVersion: `${namespace}.example.org/v1`,
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
        path: `/apis/${namespace}.example.org/v1/namespaces/${namespace}/tanks/one`,
      });
      expect(body.spec).toEqual(tank.spec);
      const { body: kept } = await admin.request<KubernetesObject>({
        method: 'GET',
        path: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/tanks.${namespace}.example.org`,
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
      const observer = suite.observer(() => {
        told += 1;
      });
      observer.watch([service.observeRequest(digest)]);
      await eventually('it is known', () => observer.latest().find(isHealthy));
      const before = told;
      await admin.request({ method: 'DELETE', path: `${pathOf('ConfigMap', namespace)}/a` });
      await eventually(
        'the loss is told',
        () => told > before && observer.latest()[0].stamp === undefined,
      );
      expect(recordAt(observer.latest()[0], 'health').state).toBe('Progressing');
    });

    it('shows a cluster that is gone as unreachable, and nobody else', async () => {
      const digest = await service.content([configMap('a')]);
      await service.release(digest);
      const observer = suite.observer();
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
      await suite.cluster().clusters.kill(CLUSTER);
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
      await suite.cluster().clusters.up(CLUSTER);
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
