import { ConfigReader } from '@backstage/config';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { KubernetesObject } from '../ports';
import { createClusterAccess, type ClusterAccessServices } from './createClusterAccess';
import { listAll } from './listAll';
import { eventually } from './testing/eventually';
import { FaultLogger } from './testing/FaultLogger';
import {
  REAL_CLUSTERS_MILLISECONDS,
  realClusters,
  type RealClusters,
} from './testing/realClusters';
import { temporaryFolder, type TemporaryFolder } from './testing/temporaryFolder';
import type { ClusterClient, WatchHandle, WatchState } from './types';

const APPLY = 'application/apply-patch+yaml';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const logger = new FaultLogger();

jest.setTimeout(120_000);

describe('real API servers', () => {
  let clusters: RealClusters;
  let folder: TemporaryFolder;
  let access: ClusterAccessServices;
  const watches: WatchHandle[] = [];

  beforeAll(async () => {
    folder = await temporaryFolder();
    clusters = await realClusters('cluster-a', 'cluster-b');
  }, REAL_CLUSTERS_MILLISECONDS);

  afterAll(async () => {
    await clusters?.remove();
    await folder?.remove();
  }, 60_000);

  beforeEach(async () => {
    access = make({ kubeconfig: { path: clusters.kubeconfig }, probe: { intervalSeconds: 2 } });
    await access.start();
  });

  afterEach(async () => {
    watches.splice(0).forEach(watch => watch.close());
    await access?.close();
    logger.assertNoFaults();
  });

  function make(multiclusterRelease: object) {
    return createClusterAccess({
      config: new ConfigReader({ multiclusterRelease: multiclusterRelease as {} }),
      logger,
    });
  }

  function apply(client: ClusterClient, path: string, body: object) {
    return client.request<KubernetesObject>({
      method: 'PATCH',
      path,
      query: { fieldManager: 'multicluster-release' },
      contentType: APPLY,
      body,
    });
  }

  function configMap(name: string, value: string) {
    return {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: 'default', labels: { suite: 'clusters' } },
      data: { value },
    };
  }

  const applyConfigMap = (client: ClusterClient, name: string, value: string) =>
    apply(client, `/api/v1/namespaces/default/configmaps/${name}`, configMap(name, value));

  const removeConfigMap = (client: ClusterClient, name: string) =>
    client.request({ method: 'DELETE', path: `/api/v1/namespaces/default/configmaps/${name}` });

  function watchConfigMaps(client: ClusterClient) {
    const changes: string[] = [];
    const phases: WatchState['phase'][] = [];
    const handle = client.watch(
      { path: '/api/v1/configmaps', labelSelector: 'suite=clusters' },
      {
        onChanges: told =>
          changes.push(...told.map(({ type, object }) => `${type} ${object.metadata.name}`)),
        onState: ({ phase }) => {
          // Stale may be told again with another error: an API server that is back denies before it serves.
          if (phases.at(-1) !== phase) {
            phases.push(phase);
          }
        },
      },
    );
    watches.push(handle);
    return { handle, changes, phases };
  }

  it('answer others where requests are given up while they are sent', async () => {
    const client = access.registry.get('cluster-a');
    const read = (path: string, signal?: AbortSignal) =>
      client.request({ method: 'GET', path, signal });
    await read('/version');
    // Somewhere in these the request has just been handed to the connection.
    for (let ticks = 0; ticks < 60; ticks++) {
      const giveUp = new AbortController();
      const asked = read('/openapi/v2', giveUp.signal);
      for (let tick = 0; tick < ticks; tick++) {
        await undefined;
      }
      giveUp.abort(new Error('given up'));
      await expect(asked).rejects.toThrow('given up');
    }
    // All connections, each with what is left of its window.
    const answers = await Promise.all(Array.from({ length: 8 }, () => read('/openapi/v2')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });

  it('are probed with no more than the rights of the shipped role', async () => {
    await eventually('both are ok', () =>
      ['cluster-a', 'cluster-b'].every(name => access.prober.status(name)?.state === 'ok'),
    );
    const status = access.prober.status('cluster-a');
    expect(status).toMatchObject({
      kubernetesVersion: 'v1.36.3',
      nodes: { ready: 2, total: 2 },
      capacity: { cpu: 64, memory: 128 * 2 ** 30, pods: 500 },
      requested: { pods: expect.any(Number) },
    });
    expect(status).not.toHaveProperty('message');
    const forbidden = access.registry.get('cluster-a').request({
      method: 'GET',
      path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    });
    await expect(forbidden).rejects.toMatchObject({ kind: 'forbidden', retryable: false });
  });

  /** Field case C03: keys that typed models do not know. */
  it('are sent definitions key for key, and keep what those keys keep', async () => {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/boxes.acc.example.org';
    await apply(access.registry.get('cluster-a'), path, boxDefinition());
    const { body } = await access.registry
      .get('cluster-a')
      .request<KubernetesObject>({ method: 'GET', path });
    expect(body.spec).toMatchObject(boxDefinition().spec);
    const admin = access.registry.get('cluster-a-admin');
    const box = await eventually('the kind is served', () =>
      admin.resource('acc.example.org/v1', 'Box'),
    );
    expect(box).toMatchObject({
      pathPrefix: '/apis/acc.example.org/v1',
      plural: 'boxes',
      namespaced: true,
    });
    const one = '/apis/acc.example.org/v1/namespaces/default/boxes/one';
    const sent = {
      apiVersion: 'acc.example.org/v1',
      kind: 'Box',
      metadata: { name: 'one', namespace: 'default' },
      spec: {
        timeout: '5s',
        template: { anything: { goes: [1, 'two'] } },
        listeners: [{ port: 80, label: 'a' }],
      },
    };
    await apply(admin, one, sent);
    const back = await admin.request<KubernetesObject>({ method: 'GET', path: one });
    expect(back.body.spec).toEqual(sent.spec);
  });

  /** Field case C14: the API server quotes what it does not take. */
  it('are not quoted when they refuse a Secret', async () => {
    const client = access.registry.get('cluster-a');
    const manifest = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's4', namespace: 'default' },
      stringData: { k: 'CANARY-TOKEN', num: 12345 },
    };
    for (const body of [
      manifest,
      { ...manifest, stringData: { k: 'CANARY-TOKEN' }, type: 'kubernetes.io/tls' },
      { ...manifest, stringData: { 'no key': 'CANARY-TOKEN' } },
      { ...manifest, stringData: {}, data: { k: 'CANARY-TOKEN, no base64' } },
    ]) {
      const error = await apply(client, '/api/v1/namespaces/default/secrets/s4', body).then(
        () => undefined,
        failure => failure,
      );
      expect(error).toMatchObject({
        cluster: 'cluster-a',
        kind: expect.stringMatching(/invalid|server/),
      });
      expect(`${error.stack} ${JSON.stringify(error)}`).not.toMatch(
        /CANARY-TOKEN|Q0FOQVJZLVRPS0VO/,
      );
    }
  });

  it('tell the manager of a conflict and the end of an old version', async () => {
    const client = access.registry.get('cluster-a');
    const path = '/api/v1/namespaces/default/configmaps/fenced';
    const first = await applyConfigMap(client, 'fenced', 'one');
    const conflict = client.request({
      method: 'PATCH',
      path,
      query: { fieldManager: 'somebody-else' },
      contentType: APPLY,
      body: configMap('fenced', 'two'),
    });
    await expect(conflict).rejects.toMatchObject({
      kind: 'conflict',
      causes: [
        expect.objectContaining({
          reason: 'FieldManagerConflict',
          message: expect.stringContaining('multicluster-release'),
        }),
      ],
    });
    await applyConfigMap(client, 'fenced', 'three');
    const { uid, resourceVersion } = first.body.metadata;
    const { metadata, ...rest } = configMap('fenced', 'late');
    const late = apply(client, path, { ...rest, metadata: { ...metadata, uid, resourceVersion } });
    await expect(late).rejects.toMatchObject({ kind: 'conflict', status: 409 });
    await removeConfigMap(client, 'fenced');
  });

  it('answer plain requests beside more watches than fit on one connection', async () => {
    const client = access.registry.get('cluster-a');
    const handles = Array.from({ length: 130 }, (_, index) => {
      const handle = client.watch(
        { path: '/api/v1/configmaps', labelSelector: `number=${index}` },
        { onChanges: () => {} },
      );
      watches.push(handle);
      return handle;
    });
    await eventually(
      'all are live',
      () => handles.every(handle => handle.state().phase === 'live'),
      60_000,
    );
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client.request({ method: 'GET', path: '/version' })),
    );
    expect(answers.map(answer => answer.status)).toEqual(Array(20).fill(200));
    const { changes } = watchConfigMaps(client);
    await applyConfigMap(client, 'seen', 'one');
    await eventually('one more watch is served', () => changes.includes('added seen'));
    await removeConfigMap(client, 'seen');
  });

  it('are read page by page', async () => {
    const client = access.registry.get('cluster-b');
    const names = Array.from({ length: 520 }, (_, index) => `page-${index}`);
    for (let from = 0; from < names.length; from += 40) {
      await Promise.all(
        names.slice(from, from + 40).map(name => applyConfigMap(client, name, 'one')),
      );
    }
    const { items } = await listAll(client, {
      path: '/api/v1/configmaps',
      labelSelector: 'suite=clusters',
    });
    expect(new Set(items.map(item => item.metadata.name)).size).toBe(520);
    expect(items[0]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
    await access.registry.get('cluster-b-admin').request({
      method: 'DELETE',
      path: '/api/v1/namespaces/default/configmaps',
      query: { labelSelector: 'suite=clusters' },
    });
  });

  it('may be killed under a watch, which is stale until they are back and then knows what changed', async () => {
    const client = access.registry.get('cluster-a');
    await applyConfigMap(client, 'kept', 'one');
    await applyConfigMap(client, 'gone', 'one');
    const { handle, changes, phases } = watchConfigMaps(client);
    await eventually('it is live', () => handle.objects().length === 2);
    await clusters.kill('cluster-a');
    await eventually('it is stale', () => handle.state().phase === 'stale');
    expect(handle.state()).toMatchObject({
      error: { kind: 'unreachable' },
      staleSince: expect.any(Number),
    });
    expect(handle.objects()).toHaveLength(2);
    await expect(client.request({ method: 'GET', path: '/version' })).rejects.toMatchObject({
      kind: 'unreachable',
    });
    await eventually(
      'the prober sees it',
      () => access.prober.status('cluster-a')?.state === 'unreachable',
      40_000,
    );
    await clusters.up('cluster-a');
    await removeConfigMap(client, 'gone');
    await eventually('the deletion is known', () => changes.includes('deleted gone'), 60_000);
    await applyConfigMap(client, 'kept', 'two');
    await eventually('changes arrive again', () => changes.includes('modified kept'));
    expect(handle.state().phase).toBe('live');
    expect(phases).toEqual(['live', 'stale', 'live']);
    await eventually(
      'the prober sees it',
      () => access.prober.status('cluster-a')?.state === 'ok',
      40_000,
    );
    await removeConfigMap(client, 'kept');
  });

  it('may be frozen under a watch, which finds out and recovers', async () => {
    const client = access.registry.get('cluster-a');
    await applyConfigMap(client, 'frozen', 'one');
    const { handle, changes } = watchConfigMaps(client);
    await eventually('it is live', () => handle.objects().length === 1);
    await clusters.freeze('cluster-a');
    const request = client.request({ method: 'GET', path: '/version', timeoutMilliseconds: 1_000 });
    await expect(request).rejects.toMatchObject({ kind: 'timeout', retryable: true });
    await eventually('the watch is stale', () => handle.state().phase === 'stale', 60_000);
    const other = access.registry.get('cluster-b').request({ method: 'GET', path: '/version' });
    expect((await other).status).toBe(200);
    await clusters.thaw('cluster-a');
    await applyConfigMap(client, 'frozen', 'two');
    await eventually('changes arrive again', () => changes.includes('modified frozen'), 60_000);
    await removeConfigMap(client, 'frozen');
  });

  /** Field case C40. */
  it('are told apart from clusters that are gone, hang, or refuse us', async () => {
    const hanging = await hangingServer();
    const tokenFile = await folder.write('token', 'not-a-token');
    const kubeconfig = (context: string) => ({
      access: { kubeconfig: { path: clusters.kubeconfig, context } },
    });
    const token = (server: string) => ({ access: { token: { server, tokenFile } } });
    const { server, authority } = await addressOf('cluster-a', clusters.kubeconfig);
    const mixed = make({
      clusters: {
        'ok-1': kubeconfig('cluster-a'),
        gone: token('https://gone.invalid'),
        slow: token(hanging.url),
        noauth: { access: { token: { server, tokenFile, caData: authority } } },
        stranger: token(server),
        empty: kubeconfig('cluster-b'),
      },
    });
    await mixed.start();
    await eventually('all are known', () =>
      mixed.prober.all().every(status => status.state !== 'starting'),
    );
    expect(mixed.prober.all().map(({ name, state }) => [name, state])).toEqual([
      ['empty', 'ok'],
      ['gone', 'unreachable'],
      ['noauth', 'unauthorized'],
      ['ok-1', 'ok'],
      ['slow', 'timeout'],
      ['stranger', 'unreachable'],
    ]);
    expect(mixed.prober.status('stranger')?.message).toContain('certificate that is not trusted');
    const deployments = async (name: string) =>
      (await listAll(mixed.registry.get(name), { path: DEPLOYMENTS, timeoutMilliseconds: 2_000 }))
        .items.length;
    expect(await deployments('empty')).toBe(0);
    await expect(deployments('noauth')).rejects.toMatchObject({ kind: 'unauthorized' });
    await expect(deployments('slow')).rejects.toMatchObject({ kind: 'timeout' });
    await mixed.close();
    await hanging.close();
  });
});

/** Takes connections and never says a word. */
async function hangingServer() {
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      sockets.forEach(socket => socket.destroy());
      await new Promise<void>(resolve => server.close(() => resolve()));
    },
  };
}

async function addressOf(context: string, path: string) {
  const { KubeConfig } = await import('@kubernetes/client-node');
  const kubeconfig = new KubeConfig();
  kubeconfig.loadFromFile(path);
  const cluster = kubeconfig.getCluster(kubeconfig.getContextObject(context)?.cluster ?? '');
  return { server: cluster?.server ?? '', authority: cluster?.caData ?? '' };
}

function boxDefinition() {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'boxes.acc.example.org' },
    spec: {
      group: 'acc.example.org',
      scope: 'Namespaced',
      names: { plural: 'boxes', singular: 'box', kind: 'Box' },
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
                    listeners: {
                      type: 'array',
                      'x-kubernetes-list-type': 'map',
                      'x-kubernetes-list-map-keys': ['port'],
                      items: {
                        type: 'object',
                        required: ['port'],
                        properties: { port: { type: 'integer' }, label: { type: 'string' } },
                      },
                    },
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
