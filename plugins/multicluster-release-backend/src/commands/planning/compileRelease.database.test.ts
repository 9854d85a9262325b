import type { Finding } from 'backstage-plugin-multicluster-release-common';
import {
  createBench,
  SERVICE,
  type Bench,
  type BenchOptions,
} from '../../http/__testUtils__/bench';
import { sampleRelease, sampleTemplate } from '../../http/__testUtils__/documents';
import { putDefinition } from '../../store';
import { describeOnEachDatabase } from '../../store/__testUtils__/eachDatabase';
import { gatherRelease } from '../documents/gatherDocuments';
import { readDocuments } from '../documents/readDocuments';
import type { SourceLocation } from '../sources';
import { compileRelease, type CompiledRelease } from './compileRelease';

jest.setTimeout(60_000);

const CONFIG = 'component:default/config';

interface Template {
  spec: { source: object; dependsOn?: object[]; [key: string]: unknown };
}

function templateWith(more: object): object {
  const template = sampleTemplate() as Template;
  return { ...template, spec: { ...template.spec, ...more } };
}

describeOnEachDatabase('compiling a release', open => {
  let bench: Bench;

  afterEach(() => bench.stop());

  async function setUp(options: Omit<BenchOptions, 'database'> = {}) {
    bench = createBench({ database: await open(), ...options });
  }

  async function compiled(...documents: object[]): Promise<CompiledRelease> {
    const entity = { ref: SERVICE, owner: 'group:default/shop' };
    const sent = readDocuments(JSON.stringify(documents[0]));
    const others = documents.slice(1).flatMap(document => readDocuments(JSON.stringify(document)));
    const gathered = await gatherRelease(bench.commands, { entity, sent: [...sent, ...others] });
    return compileRelease(bench.commands, {
      entity,
      gathered,
      clusterScopedAllowed: async () => false,
    });
  }

  async function runs(service: string, cluster: string, version: string | undefined) {
    const { database } = bench.commands;
    await database('running').insert({
      service,
      cluster,
      namespace: 'production',
      version: version ?? null,
      digest: version ?? null,
      release_id: 'r1',
      inventory: '[]',
    });
  }

  const codes = ({ findings }: CompiledRelease) => findings.map(({ code }) => code);
  const found = ({ findings }: CompiledRelease, code: string): Finding | undefined =>
    findings.find(finding => finding.code === code);

  describe('manifests of a version', () => {
    it('are read at the revision that its ref names, and the commit is said', async () => {
      const read: SourceLocation[] = [];
      const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } };
      await setUp({
        sources: {
          readText: async () => Promise.reject(new Error('reads no text')),
          readFiles: async location => {
            read.push(location);
            const files = [{ path: 'a.yaml', text: JSON.stringify(manifest) }];
            return { files, revision: '4f1c2d' };
          },
        },
      });
      const source = {
        manifests: {
          location: 'https://github.com/acme/checkout/tree/main/k8s',
          ref: 'v${version}',
        },
      };
      const result = await compiled(
        sampleRelease({ version: 'v2.0.0' }),
        templateWith({ source, images: [] }),
      );
      expect(read).toEqual([
        { type: 'url', target: 'https://github.com/acme/checkout/tree/v2.0.0/k8s' },
      ]);
      expect(result.plan?.targets).toHaveLength(2);
      expect(found(result, 'ManifestsRead')).toMatchObject({
        params: { ref: 'v${version}', revision: '4f1c2d', version: '2.0.0' },
      });
    });
  });

  describe('bounds of a rolling update', () => {
    const strategy = (rollingUpdate: object) => ({
      type: 'RollingUpdate',
      rollingUpdate: { mode: 'Parallel', ...rollingUpdate },
    });

    it('are part of the content, and of its digest', async () => {
      await setUp();
      const plain = await compiled(sampleRelease({ strategy: strategy({}) }), sampleTemplate());
      const bound = await compiled(
        sampleRelease({ strategy: strategy({ maxSurge: '25%', maxUnavailable: 0 }) }),
        sampleTemplate(),
      );
      const digest = bound.plan?.targets[0].to?.digest ?? '';
      expect(digest).not.toBe(plain.plan?.targets[0].to?.digest);
      const { objects } = await bench.commands.contents.get(digest);
      expect(objects[0].spec).toMatchObject({
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 0 } },
      });
      expect(codes(plain)).toEqual([]);
      expect(codes(bound)).toEqual(['RolloutBoundsSet']);
    });
  });

  describe('room for the surge', () => {
    const strategy = {
      type: 'RollingUpdate',
      rollingUpdate: { mode: 'Parallel', maxSurge: 2, maxUnavailable: 0 },
    };

    async function tight() {
      await setUp();
      bench.fleet.quotas.set('cluster-b', [{ name: 'team', free: { pods: 3 } }]);
      await runs(SERVICE, 'cluster-a', '0.9.0');
      await runs(SERVICE, 'cluster-b', '0.9.0');
    }

    const surges = ({ plan }: CompiledRelease) =>
      Promise.all(
        (plan?.targets ?? []).map(async ({ cluster, to }) => {
          const { objects } = await bench.commands.contents.get(to?.digest ?? '');
          const spec = objects[0].spec as { strategy: { rollingUpdate: { maxSurge: number } } };
          return [cluster, spec.strategy.rollingUpdate.maxSurge];
        }),
      );

    it('is said to be missing', async () => {
      await tight();
      const result = await compiled(sampleRelease({ strategy }), sampleTemplate());
      expect(found(result, 'NoRoomForSurge')).toMatchObject({
        severity: 'warning',
        cluster: 'cluster-b',
        params: {
          pods: 2,
          short: '4 pods (with those that are ending) of 3 pods that are free in quota team',
        },
      });
      expect(await surges(result)).toEqual([
        ['cluster-a', 2],
        ['cluster-b', 2],
      ]);
    });

    it('is kept to where the policy lets maxSurge be lowered, on that cluster alone', async () => {
      await tight();
      const more = { policy: { adapt: true } };
      const result = await compiled(sampleRelease({ strategy, more }), sampleTemplate());
      expect(found(result, 'SurgeLowered')).toMatchObject({
        cluster: 'cluster-b',
        params: { from: 2, to: 1 },
      });
      expect(await surges(result)).toEqual([
        ['cluster-a', 2],
        ['cluster-b', 1],
      ]);
    });
  });

  describe('Jobs of a gate', () => {
    const job = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'smoke' },
      spec: {
        template: {
          spec: {
            restartPolicy: 'Never',
            containers: [{ name: 'smoke', image: 'ghcr.io/acme/smoke:${version}' }],
          },
        },
      },
    };
    const canary = {
      type: 'Canary',
      canary: { steps: [{ clusters: ['cluster-a'], jobs: [{ manifest: job }] }] },
    };

    it('know the version that they test', async () => {
      await setUp();
      const { plan } = await compiled(
        sampleRelease({ version: '2.0.0+7', strategy: canary }),
        sampleTemplate(),
      );
      const step = plan?.stages[0].steps.find(({ instruction }) => instruction === 'analyse');
      expect(step?.jobs).toMatchObject([
        { spec: { template: { spec: { containers: [{ image: 'ghcr.io/acme/smoke:2.0.0_7' }] } } } },
      ]);
    });

    it('are refused where the owner may not write Jobs, on the clusters that run them', async () => {
      const rule = {
        owners: ['group:default/shop'],
        namespaces: ['production'],
        kinds: ['Deployment'],
      };
      await setUp({ settings: { tenancy: [rule] } });
      const result = await compiled(sampleRelease({ strategy: canary }), sampleTemplate());
      expect(result.plan).toBeUndefined();
      expect(result.findings).toEqual([
        expect.objectContaining({
          severity: 'error',
          code: 'NamespaceNotAllowed',
          params: expect.objectContaining({
            cluster: 'cluster-a',
            kind: 'Job',
            namespace: 'production',
          }),
        }),
      ]);
    });
  });

  describe('dependencies', () => {
    const needing = (service: string, more: object = {}) =>
      templateWith({ dependsOn: [{ service, ...more }] });

    /** What another service's file says. */
    async function define(service: string, dependsOn: object[]) {
      const text = JSON.stringify(templateWith({ dependsOn }));
      await putDefinition(
        bench.commands.database,
        {
          owner: { scope: 'service', name: service },
          text,
          documents: [JSON.parse(text)],
          author: 'system',
          now: 1,
        },
        bench.commands.cipher,
      );
    }

    it('are refused where services wait for each other, with the whole ring', async () => {
      await setUp();
      await define(CONFIG, [{ service: 'component:default/vault' }]);
      await define('component:default/vault', [{ service: SERVICE }]);
      const result = await compiled(sampleRelease(), needing(CONFIG));
      expect(result.plan).toBeUndefined();
      expect(found(result, 'DependencyCycle')).toMatchObject({
        severity: 'error',
        params: { ring: `${SERVICE} → ${CONFIG} → component:default/vault → ${SERVICE}` },
      });
    });

    it('name the nearest service where nobody knows the one that is written', async () => {
      await setUp();
      await define(CONFIG, []);
      const result = await compiled(sampleRelease(), needing('component:default/confg'));
      expect(found(result, 'UnknownService')).toMatchObject({
        severity: 'warning',
        params: { service: 'component:default/confg', nearest: CONFIG },
        path: 'spec.dependsOn[0].service',
      });
      expect(result.plan).toBeDefined();
    });

    it('say what the release will wait for, and are carried in the plan', async () => {
      await setUp();
      await runs(CONFIG, 'cluster-a', '1.4.0');
      await runs(CONFIG, 'cluster-b', '1.3.0');
      const result = await compiled(sampleRelease(), needing(CONFIG, { version: '>=1.4' }));
      expect(found(result, 'DependencyMissing')).toMatchObject({
        severity: 'info',
        params: {
          service: CONFIG,
          version: '>=1.4',
          clusters: 'cluster-b',
          places: 'cluster-b',
          count: 1,
        },
      });
      expect(result.plan?.rules.dependsOn).toEqual([
        { service: CONFIG, version: '>=1.4', on: 'same' },
      ]);
    });

    it('say nothing where all runs as it should', async () => {
      await setUp();
      await runs(CONFIG, 'cluster-c', '1.4.0');
      const on = await compiled(sampleRelease(), needing(CONFIG, { on: ['cluster-c'] }));
      const all = await compiled(sampleRelease(), needing(CONFIG, { on: 'all' }));
      expect([codes(on), codes(all)]).toEqual([[], []]);
    });

    it('are refused on clusters that there are not', async () => {
      await setUp();
      await define(CONFIG, []);
      const result = await compiled(sampleRelease(), needing(CONFIG, { on: ['clutser-c'] }));
      expect(found(result, 'UnknownCluster')).toMatchObject({
        severity: 'error',
        path: 'spec.dependsOn[0].on',
        message:
          'Cluster clutser-c is not configured. Did you mean cluster-c? Name a cluster that is.',
      });
    });
  });
});
