import type { ClusterClient } from '../clusters/types';
import { examine } from './examine';
import { idKey, idOf } from './objectId';

describe('examine', () => {
  it('refuses a kind outside of namespaces that was judged as one of a namespace', async () => {
    const issuer = {
      apiVersion: 'cert-manager.io/v1',
      kind: 'ClusterIssuer',
      metadata: { name: 'shop', namespace: 'production' },
    };
    const resource = {
      apiVersion: issuer.apiVersion,
      kind: issuer.kind,
      namespaced: false,
      pathPrefix: '/apis/cert-manager.io/v1',
      plural: 'clusterissuers',
      verbs: ['get', 'patch'],
    };
    const asked: string[] = [];
    const client = {
      name: 'cluster-a',
      request: async ({ path }: { path: string }) => {
        asked.push(path);
        return { body: issuer };
      },
    } as unknown as ClusterClient;
    const [examined] = await examine({
      client,
      service: 'component:default/checkout',
      objects: [issuer],
      reading: {
        resources: new Map([[idKey(idOf(issuer)), resource]]),
        live: new Map(),
        scaled: [],
      },
    });
    expect(examined.findings).toMatchObject([
      { severity: 'error', code: 'OutsideOfNamespaces', cluster: 'cluster-a' },
    ]);
    expect(asked).toEqual([]);
  });
});
