import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mockServices, startTestBackend } from '@backstage/backend-test-utils';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import { signalsServiceRef } from '@backstage/plugin-signals-node';
import { createServiceFactory } from '@backstage/backend-plugin-api';
import request from 'supertest';
import { multiclusterReleasePlugin } from './plugin';
import { databaseFactory } from './http/__testUtils__/databaseFactory';
import { until } from './http/__testUtils__/until';
import { emptyDatabase } from './store/__testUtils__/eachDatabase';

jest.setTimeout(60_000);

const BASE = '/api/multicluster-release';

/** Nothing listens at the addresses: clusters are there and do not answer. */
const KUBECONFIG = {
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [
    { name: 'away', cluster: { server: 'https://127.0.0.1:9' } },
    {
      name: 'unsafe',
      cluster: { server: 'https://127.0.0.1:9', 'insecure-skip-tls-verify': true },
    },
  ],
  users: [
    { name: 'token', user: { token: 'x' } },
    {
      name: 'exec',
      user: {
        exec: {
          apiVersion: 'client.authentication.k8s.io/v1',
          command: 'touch',
          args: ['/tmp/owned'],
        },
      },
    },
  ],
  contexts: [
    { name: 'away', context: { cluster: 'away', user: 'token' } },
    { name: 'unsafe', context: { cluster: 'unsafe', user: 'token' } },
    { name: 'runs-a-program', context: { cluster: 'away', user: 'exec' } },
  ],
};

describe('the plugin', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plugin-'));
    await writeFile(join(folder, 'kubeconfig'), JSON.stringify(KUBECONFIG));
  });

  afterEach(() => rm(folder, { recursive: true }));

  async function start(multiclusterRelease: object) {
    const signals: object[] = [];
    const audit: string[] = [];
    const signalsFactory = createServiceFactory({
      service: signalsServiceRef,
      deps: {},
      factory: () => ({
        async publish(signal: object) {
          signals.push(signal);
        },
      }),
    });
    const auditor = mockServices.auditor.mock({
      createEvent: async ({ eventId, meta }) => {
        audit.push(JSON.stringify([eventId, meta]));
        return { success: async () => {}, fail: async () => {} };
      },
    });
    const backend = await startTestBackend({
      features: [
        multiclusterReleasePlugin,
        databaseFactory(await emptyDatabase('SQLITE_3')),
        mockServices.rootConfig.factory({ data: { multiclusterRelease } }),
        catalogServiceMock.factory({ entities: [] }),
        signalsFactory,
        auditor.factory,
      ],
    });
    return {
      get: (path: string) => request(backend.server).get(`${BASE}${path}`),
      stop: () => backend.stop(),
      signals,
      audit,
    };
  }

  it('starts with its tables, shows clusters that do not answer as such, and lets go at the end', async () => {
    const backend = await start({ kubeconfig: { path: join(folder, 'kubeconfig') } });
    const list = await until(
      async () => (await backend.get('/clusters').expect(200)).body,
      ({ items }) => items.some(({ state }: { state: string }) => state === 'unreachable'),
    );
    expect(list.stale).toBe(false);
    // A program and unverified TLS need an administrator's word; both are in the audit log (C15).
    const states = Object.fromEntries(
      list.items.map(({ name, state }: { name: string; state: string }) => [name, state]),
    );
    expect(states).toEqual({ away: 'unreachable', unsafe: 'refused', 'runs-a-program': 'refused' });
    expect(
      backend.audit.filter(event => event.includes('cluster-configuration-refused')).sort(),
    ).toEqual([
      '["cluster-configuration-refused",{"cluster":"runs-a-program"}]',
      '["cluster-configuration-refused",{"cluster":"unsafe"}]',
    ]);
    const { body } = await backend.get('/health/engine').expect(200);
    expect(body).toMatchObject({ driving: [], clusterList: 'ok' });
    expect((await backend.get('/openapi.json').expect(200)).body.paths).toHaveProperty([
      `${BASE}/releases`,
    ]);
    await backend.stop();
  });
});
