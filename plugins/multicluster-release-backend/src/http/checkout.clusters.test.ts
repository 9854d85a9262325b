import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createServiceFactory } from '@backstage/backend-plugin-api';
import { mockServices, startTestBackend, type TestBackend } from '@backstage/backend-test-utils';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import { signalsServiceRef } from '@backstage/plugin-signals-node';
import request from 'supertest';
import { parseAllDocuments } from 'yaml';
import { multiclusterReleasePlugin } from '../plugin';
import { emptyDatabase } from '../store/__testUtils__/eachDatabase';
import { realClusters, type RealClusters } from '../testing/realClusters';
import { databaseFactory } from './__testUtils__/databaseFactory';

const BASE = '/api/multicluster-release';
const SERVICE = 'component:default/checkout';
// eslint-disable-next-line no-restricted-syntax
const SAMPLE = resolve(__dirname, '../../../../dev/samples/checkout');
const CLUSTERS = { 'cluster-a': 'canary', 'cluster-b': 'gray', 'cluster-c': 'production' };

/** The sample service of this repository over the real plugin, HTTP API and API servers; kubectl is the witness. */
describe('the sample service', () => {
  let clusters: RealClusters;
  let backend: TestBackend;
  const signals: object[] = [];

  beforeAll(async () => {
    clusters = await realClusters(...Object.keys(CLUSTERS));
    for (const cluster of Object.keys(CLUSTERS)) {
      await clusters.kubectl(cluster, 'create', 'namespace', 'production');
    }
    backend = await startBackend();
  }, 1_200_000);

  afterAll(async () => {
    await backend.stop();
    await clusters.remove();
  }, 60_000);

  async function startBackend(): Promise<TestBackend> {
    const entries = Object.entries(CLUSTERS).map(([name, ring]) => [
      name,
      { labels: { tier: 'shop', ring } },
    ]);
    const multiclusterRelease = {
      clusters: Object.fromEntries(entries),
      kubeconfig: { path: clusters.kubeconfig, contexts: Object.keys(CLUSTERS) },
      development: { timeScale: 0.05, allowFileSources: true },
    };
    const entity = {
      apiVersion: 'backstage.io/v1alpha1',
      kind: 'Component',
      metadata: {
        name: 'checkout',
        annotations: {
          'backstage.io/managed-by-location': `file:${SAMPLE}/catalog-info.yaml`,
          'multicluster-release.io/location': './multicluster-release.yaml',
        },
      },
      spec: { type: 'service', lifecycle: 'production', owner: 'group:default/payments' },
    };
    const signalsFactory = createServiceFactory({
      service: signalsServiceRef,
      deps: {},
      factory: () => ({ publish: async (signal: object) => void signals.push(signal) }),
    });
    return startTestBackend({
      features: [
        multiclusterReleasePlugin,
        databaseFactory(await emptyDatabase('SQLITE_3')),
        mockServices.rootConfig.factory({ data: { multiclusterRelease } }),
        catalogServiceMock.factory({ entities: [entity] }),
        signalsFactory,
      ],
    });
  }

  const http = () => request(backend.server);

  async function documentOf(version: string): Promise<object> {
    const text = await readFile(`${SAMPLE}/multicluster-release.yaml`, 'utf8');
    const documents = parseAllDocuments(text).map(document => document.toJSON());
    const written = documents.find(({ kind }) => kind === 'ClusterRelease');
    return { ...written, spec: { ...written.spec, targetVersion: version } };
  }

  async function preview(version: string) {
    const { body } = await http()
      .post(`${BASE}/releases?service=${SERVICE}&dryRun=true`)
      .send(await documentOf(version))
      .expect(200);
    return body;
  }

  async function release(version: string): Promise<string> {
    const { plan } = await preview(version);
    const { body } = await http()
      .post(`${BASE}/releases?service=${SERVICE}&planHash=${plan.hash}`)
      .send(await documentOf(version))
      .expect(201);
    return body.id;
  }

  /** Long polls, as a pipeline would. */
  async function wait(
    id: string,
    fits: (release: { state: string; revision: number; finishedAt?: number }) => boolean,
  ) {
    let { body } = await http().get(`${BASE}/releases/${id}`).expect(200);
    while (!fits(body)) {
      if (body.finishedAt !== undefined) {
        throw new Error(`It ended as ${body.state}: ${JSON.stringify(body.waiting)}`);
      }
      ({ body } = await http()
        .get(`${BASE}/releases/${id}?afterRevision=${body.revision}&waitSeconds=20`)
        .expect(200));
    }
    return body;
  }

  async function images(): Promise<string[]> {
    return Promise.all(
      Object.keys(CLUSTERS).map(cluster =>
        clusters.kubectl(
          cluster,
          '-n',
          'production',
          'get',
          'deployment',
          'checkout',
          '-o',
          'jsonpath={.spec.template.spec.containers[0].image}',
        ),
      ),
    );
  }

  const all = (version: string) =>
    Object.keys(CLUSTERS).map(() => `registry.example.org/shop/checkout:${version}`);

  it('comes, is updated group by group, is paused and resumed on the way, and comes back from a crashing version', async () => {
    const first = await preview('1.0.0');
    expect(
      first.findings.filter(({ severity }: { severity: string }) => severity === 'error'),
    ).toEqual([]);
    expect(first.diff.map(({ targets }: { targets: object[] }) => targets.length)).toEqual([2, 1]);
    await wait(await release('1.0.0'), ({ state }) => state === 'Succeeded');
    expect(await images()).toEqual(all('1.0.0'));

    const second = await release('2.0.0');
    await http().post(`${BASE}/releases/${second}/pause`).send({ reason: 'a look' }).expect(200);
    await wait(second, ({ state }) => state === 'Paused');
    expect((await images())[2]).toBe(all('1.0.0')[2]);
    await http().post(`${BASE}/releases/${second}/resume`).send({}).expect(200);
    await wait(second, ({ state }) => state === 'Succeeded');
    expect(await images()).toEqual(all('2.0.0'));

    const third = await release('3.0.0');
    await wait(third, ({ state }) => state === 'RolledBack');
    expect(await images()).toEqual(all('2.0.0'));
    const { body: summary } = await http()
      .get(`${BASE}/services/component/default/checkout/summary`)
      .expect(200);
    expect(summary).toMatchObject({
      clustersAnswered: { answered: 3, total: 3 },
      holds: [{ version: '3.0.0' }],
    });
    expect(summary.versions.map(({ version }: { version: string }) => version)).toEqual([
      '2.0.0',
      '2.0.0',
      '2.0.0',
    ]);

    const { body: back } = await http()
      .post(`${BASE}/releases/${second}/rollback`)
      .send({ reason: 'enough' })
      .expect(201);
    await wait(back.id, ({ state }) => state === 'Succeeded');
    expect(await images()).toEqual(all('1.0.0'));
    expect(signals).toContainEqual({
      recipients: { type: 'broadcast' },
      channel: `releases:${SERVICE}`,
      message: { releaseId: second, revision: expect.any(Number) },
    });
  }, 600_000);

  it('names a manifest that an API server refuses before any cluster is written', async () => {
    const bad = {
      apiVersion: 'multicluster-release.io/v1',
      kind: 'ResourceTemplate',
      metadata: { name: 'checkout' },
      spec: {
        source: {
          manifests: {
            inline: [
              {
                apiVersion: 'apps/v1',
                kind: 'Deployment',
                metadata: { name: 'checkout' },
                spec: { replicas: 'many' },
              },
            ],
          },
        },
      },
    };
    const { body } = await http()
      .post(`${BASE}/releases?service=${SERVICE}`)
      .send([await documentOf('9.0.0'), bad])
      .expect(400);
    expect(body.error.details.map(({ cluster }: { cluster: string }) => cluster).sort()).toEqual(
      Object.keys(CLUSTERS),
    );
    expect((await images())[0]).not.toContain('9.0.0');
  }, 120_000);
});
