import type { LoggerService } from '@backstage/backend-plugin-api';
import { ConfigReader } from '@backstage/config';
import {
  createClusterAccess,
  type ClusterAccessServices,
} from '../../clusters/createClusterAccess';
import { eventually } from '../../clusters/testing/eventually';
import {
  REAL_CLUSTERS_MILLISECONDS,
  realClusters,
  type RealClusters,
} from '../../clusters/testing/realClusters';
import { readQuotas } from './readQuotas';

jest.setTimeout(120_000);

const logger: LoggerService = {
  error: message => {
    throw new Error(message);
  },
  warn: () => {},
  info: () => {},
  debug: () => {},
  child: () => logger,
};

describe('quotas of a real API server, with the rights of the shipped role', () => {
  let clusters: RealClusters;
  let access: ClusterAccessServices;

  beforeAll(async () => {
    clusters = await realClusters('cluster-a');
    access = createClusterAccess({
      config: new ConfigReader({
        multiclusterRelease: { kubeconfig: { path: clusters.kubeconfig } },
      }),
      logger,
    });
    await access.registry.refresh();
  }, REAL_CLUSTERS_MILLISECONDS);

  afterAll(async () => {
    await access?.close();
    await clusters?.remove();
  }, 60_000);

  async function create(path: string, body: object) {
    await access.registry.get('cluster-a-admin').request({ method: 'POST', path, body });
  }

  const read = (namespace: string) =>
    readQuotas(access.registry, { cluster: 'cluster-a', namespace });

  it('tell what they leave; those for some pods only are left out', async () => {
    const quotas = '/api/v1/namespaces/tight/resourcequotas';
    await create('/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'tight' },
    });
    for (const [name, more] of [
      ['team', {}],
      ['best-effort', { scopes: ['BestEffort'] }],
    ] as const) {
      await create(quotas, {
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata: { name },
        spec: { hard: { pods: '3' }, ...more },
      });
    }
    await eventually('the quota has a status', async () => (await read('tight'))?.[0]?.free.pods);
    await create('/api/v1/namespaces/tight/pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'one' },
      spec: { containers: [{ name: 'main', image: 'img:1' }] },
    });
    await eventually('the pod counts', async () => (await read('tight'))?.[0]?.free.pods === 2);
    expect(await read('tight')).toEqual([{ name: 'team', free: { pods: 2 } }]);
    expect(await read('default')).toEqual([]);
  });

  it('are not known of a cluster that does not answer', async () => {
    await clusters.freeze('cluster-a');
    expect(
      await readQuotas(
        access.registry,
        { cluster: 'cluster-a', namespace: 'tight' },
        AbortSignal.timeout(500),
      ),
    ).toBeUndefined();
  });
});
