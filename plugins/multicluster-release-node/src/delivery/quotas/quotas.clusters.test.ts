import { eventually } from '../../clusters/testing/eventually';
import { ADMIN, CLUSTER, realCluster } from '../testing/suiteOnRealCluster';
import { readQuotas } from './readQuotas';

describe('quotas of a real API server, with the rights of the shipped role', () => {
  const cluster = realCluster();

  async function create(path: string, body: object) {
    await cluster().access.registry.get(ADMIN).request({ method: 'POST', path, body });
  }

  const read = (namespace: string) =>
    readQuotas(cluster().access.registry, { cluster: CLUSTER, namespace });

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
    const { clusters, access } = cluster();
    await clusters.freeze(CLUSTER);
    expect(
      await readQuotas(
        access.registry,
        { cluster: CLUSTER, namespace: 'tight' },
        AbortSignal.timeout(500),
      ),
    ).toBeUndefined();
  });
});
