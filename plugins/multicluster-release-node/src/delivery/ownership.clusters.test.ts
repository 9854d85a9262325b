import type { FieldChange } from 'backstage-plugin-multicluster-release-common';
import { eventually } from '../clusters/testing/eventually';
import type { ClusterClient } from '../clusters/types';
import type { TargetObservation } from '../ports';
import { numberAt } from './json';
import { managedFieldsOf } from './live/managedFields';
import { containersOf } from './podTemplate';
import { byAPerson, pathOf } from './testing/byAPerson';
import { configMap, deployment } from './testing/manifests';
import { suiteOnRealCluster } from './testing/suiteOnRealCluster';
import { dataOf, type TestService } from './testing/TestService';

describe('what others have written, on a real API server, with the rights of the shipped role', () => {
  let admin: ClusterClient;
  let namespace: string;
  let service: TestService;
  const suite = suiteOnRealCluster('owned', place => {
    ({ admin, namespace, service } = place);
  });
  const { create, alter, live, names } = byAPerson(() => ({ admin, namespace }));

  const observed = (
    digest: string | undefined,
    what: string,
    holds: (observation: TargetObservation) => boolean,
    writtenAt?: number,
  ) => suite.observed(service.observeRequest(digest, writtenAt), what, holds);

  const isHealthy = ({ health }: TargetObservation) => health.state === 'Healthy';

  const pointers = (fields: FieldChange[]) =>
    fields.map(({ kind, pointer }) => `${kind} ${pointer}`);

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
        { path: pathOf('Deployment', namespace) },
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
        path: `${pathOf('HorizontalPodAutoscaler', namespace)}/shop`,
      });
      expect(await service.release(await service.content([shop(4, 'img:3')]))).toEqual({
        result: 'done',
      });
      expect(numberAt(await live('Deployment', 'shop'), 'spec', 'replicas')).toBe(4);
    });
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
});
