import { readFile } from 'node:fs/promises';
import { createServiceFactory } from '@backstage/backend-plugin-api';
import { mockServices, startTestBackend, type TestBackend } from '@backstage/backend-test-utils';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import kubernetesPlugin from '@backstage/plugin-kubernetes-backend';
import { signalsServiceRef } from '@backstage/plugin-signals-node';
import request from 'supertest';
import { multiclusterReleasePlugin } from '../plugin';
import { emptyDatabase } from '../store/__testUtils__/eachDatabase';
import { realClusters, type RealClusters } from '../testing/realClusters';
import { releaseDocuments } from '../testing/samples';
import { databaseFactory } from './__testUtils__/databaseFactory';

const CLUSTER = 'proxied';
const BASE = '/api/multicluster-release';
const SERVICE = 'component:default/checkout';

/** Clusters whose credentials only the kubernetes plugin holds: every call goes through its proxy. */
describe('clusters of the kubernetes plugin', () => {
  let clusters: RealClusters;
  let backend: TestBackend;

  beforeAll(async () => {
    clusters = await realClusters(CLUSTER);
    await clusters.kubectl(CLUSTER, 'create', 'namespace', 'shop');
    backend = await startBackend();
  }, 1_200_000);

  afterAll(async () => {
    await backend.stop();
    await clusters.remove();
  }, 120_000);

  async function startBackend(): Promise<TestBackend> {
    const data = {
      multiclusterRelease: { kubernetesPlugin: true },
      kubernetes: {
        serviceLocatorMethod: { type: 'multiTenant' },
        clusterLocatorMethods: [{ type: 'config', clusters: [await pluginCluster()] }],
      },
    };
    const entity = {
      apiVersion: 'backstage.io/v1alpha1',
      kind: 'Component',
      metadata: { name: 'checkout' },
      spec: { type: 'service', lifecycle: 'production', owner: 'group:default/payments' },
    };
    const silentSignals = createServiceFactory({
      service: signalsServiceRef,
      deps: {},
      factory: () => ({ publish: async () => {} }),
    });
    return startTestBackend({
      features: [
        multiclusterReleasePlugin,
        kubernetesPlugin,
        databaseFactory(await emptyDatabase('SQLITE_3')),
        mockServices.rootConfig.factory({ data }),
        catalogServiceMock.factory({ entities: [entity] }),
        silentSignals,
      ],
    });
  }

  async function pluginCluster(): Promise<object> {
    // The development harness writes its kubeconfig as JSON.
    const config = JSON.parse(await readFile(clusters.kubeconfig, 'utf8'));
    const { cluster } = config.clusters.find(({ name }: { name: string }) => name === CLUSTER);
    const { user } = config.users.find(({ name }: { name: string }) => name === CLUSTER);
    return {
      name: CLUSTER,
      url: cluster.server,
      caData: cluster['certificate-authority-data'],
      authProvider: 'serviceAccount',
      serviceAccountToken: user.token,
    };
  }

  async function released(version: string): Promise<{ state: string }> {
    const started = await request(backend.server)
      .post(`${BASE}/releases?service=${SERVICE}`)
      .set('content-type', 'application/yaml')
      .send(releaseDocuments({ version, clusters: [CLUSTER], namespace: 'shop' }))
      .expect(201);
    const path = `${BASE}/releases/${started.body.id}`;
    let { body } = await request(backend.server).get(path).expect(200);
    while (body.finishedAt === undefined) {
      ({ body } = await request(backend.server)
        .get(`${path}?afterRevision=${body.revision}&waitSeconds=20`)
        .expect(200));
    }
    return body;
  }

  const image = () =>
    clusters.kubectl(
      CLUSTER,
      ...['-n', 'shop', 'get', 'deployment', 'checkout'],
      ...['-o', 'jsonpath={.spec.template.spec.containers[0].image}'],
    );

  /** Both plugins start at the same time; the first listing may come before the other answers. */
  async function untilListed(): Promise<void> {
    let listed: string | undefined;
    while (listed !== 'ok') {
      const { body } = await request(backend.server).get(`${BASE}/clusters`).expect(200);
      listed = body.items.find(({ name }: { name: string }) => name === CLUSTER)?.state;
    }
  }

  it('are released to, watched and rolled back through its proxy', async () => {
    await untilListed();
    expect(await released('1.0.0')).toMatchObject({ state: 'Succeeded' });
    expect(await image()).toBe('registry.example.org/shop/checkout:1.0.0');
    expect(await released('2.0.0')).toMatchObject({ state: 'Succeeded' });
    expect(await image()).toBe('registry.example.org/shop/checkout:2.0.0');
    expect(await released('3.0.0')).toMatchObject({ state: 'RolledBack' });
    expect(await image()).toBe('registry.example.org/shop/checkout:2.0.0');
  }, 240_000);
});
