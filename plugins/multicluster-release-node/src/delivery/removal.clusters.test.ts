import { eventually } from '../clusters/testing/eventually';
import type { ClusterClient } from '../clusters/types';
import { listAt, valueAt } from './json';
import { containersOf } from './podTemplate';
import { byAPerson, pathOf } from './testing/byAPerson';
import type { MemoryContents } from './testing/MemoryContents';
import { budget, configMap, deployment } from './testing/manifests';
import { suiteOnRealCluster } from './testing/suiteOnRealCluster';
import type { TestService } from './testing/TestService';

describe('removal and what is left half-way, on a real API server, with the rights of the shipped role', () => {
  let admin: ClusterClient;
  let contents: MemoryContents;
  let namespace: string;
  let service: TestService;
  suiteOnRealCluster('removed', place => {
    ({ admin, contents, namespace, service } = place);
  });
  const { create, live, names } = byAPerson(() => ({ admin, namespace }));

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
      await admin.request({ method: 'DELETE', path: `${pathOf('ConfigMap', namespace)}/remade` });
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
      const { body } = await admin.request({ method: 'GET', path: pathOf(kind, namespace) });
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
});
