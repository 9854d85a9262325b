import { ConfigReader } from '@backstage/config';
import { NotFoundError } from '@backstage/errors';
import { rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { createClusterAccess, type ClusterAccessServices } from './createClusterAccess';
import type { ListingMemory } from './registry/DefaultClusterRegistry';
import type { ClusterRefusal } from './registry/types';
import { eventually } from './testing/eventually';
import { FaultLogger } from './testing/FaultLogger';
import { ManualTiming } from './testing/ManualTiming';
import {
  scriptedServer,
  sendJson,
  type ScriptedServer,
  type SeenCall,
} from './testing/scriptedServer';
import { temporaryFolder, type TemporaryFolder } from './testing/temporaryFolder';

// Real sockets, files and modules on a machine that may be busy.
jest.setTimeout(60_000);

type Answer = (call: SeenCall, response: ServerResponse) => void;

/** An API server with so many nodes and pods, each pod asking for half a core. */
function healthy(nodes: number, pods: number): Answer {
  const node = {
    metadata: { name: 'n' },
    status: {
      allocatable: { cpu: '4', memory: '8Gi', pods: '110' },
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  };
  const pod = {
    metadata: { name: 'p' },
    spec: {
      nodeName: 'n',
      containers: [{ resources: { requests: { cpu: '500m', memory: '1Gi' } } }],
    },
  };
  return ({ url }, response) => {
    if (url === '/version') {
      sendJson(response, 200, { gitVersion: 'v1.36.3' });
    } else if (url.startsWith('/api/v1/nodes')) {
      sendJson(response, 200, {
        kind: 'NodeList',
        apiVersion: 'v1',
        items: Array(nodes).fill(node),
      });
    } else {
      sendJson(response, 200, { kind: 'PodList', apiVersion: 'v1', items: Array(pods).fill(pod) });
    }
  };
}

const hangs: Answer = () => {};
const unauthorized: Answer = (_, response) =>
  sendJson(response, 401, { kind: 'Status', reason: 'Unauthorized' });

const logger = new FaultLogger();

let folder: TemporaryFolder;
let timing: ManualTiming;
let servers: ScriptedServer[];
let access: ClusterAccessServices | undefined;

beforeEach(async () => {
  folder = await temporaryFolder();
  timing = new ManualTiming(1_000_000);
  servers = [];
});

afterEach(async () => {
  await access?.close();
  access = undefined;
  await Promise.all(servers.map(server => server.close()));
  await folder.remove();
  logger.assertNoFaults();
});

async function serve(answer: Answer): Promise<string> {
  const server = await scriptedServer(answer);
  servers.push(server);
  return server.url;
}

async function tokenAccess(server: string) {
  return { access: { token: { server, tokenFile: await folder.write('token', 'abc') } } };
}

function make(
  multiclusterRelease: object,
  refusals: ClusterRefusal[] = [],
  states: string[] = [],
  memory?: ListingMemory,
) {
  access = createClusterAccess({
    memory,
    config: new ConfigReader({ multiclusterRelease: multiclusterRelease as {} }),
    logger,
    timing,
    onRefusal: refusal => refusals.push(refusal),
    onStatus: status => states.push(`${status.name} ${status.state}`),
  });
  return access;
}

describe('the prober', () => {
  /** Field case C40: one bad cluster costs nobody else anything, and refused access is not zero. */
  it('tells every kind of cluster apart', async () => {
    const clusters = {
      'ok-1': await tokenAccess(await serve(healthy(2, 3))),
      gone: await tokenAccess('http://gone.invalid'),
      slow: await tokenAccess(await serve(hangs)),
      noauth: await tokenAccess(await serve(unauthorized)),
      empty: await tokenAccess(await serve(healthy(1, 0))),
      refused: await tokenAccess('http://10.0.0.1'),
    };
    const allow = { http: ['ok-1', 'gone', 'slow', 'noauth', 'empty'] };
    const { prober, start } = make({ clusters, allow });
    await start();
    const stateOf = (name: string) => prober.status(name)?.state;
    await eventually(
      'those that answer are known, though one hangs',
      () =>
        ['ok-1', 'empty'].every(name => stateOf(name) === 'ok') && stateOf('slow') === 'starting',
    );
    await eventually(
      'those that fail at once are known',
      () => stateOf('gone') === 'unreachable' && stateOf('noauth') === 'unauthorized',
    );
    timing.advance(5_000);
    await eventually(
      'the hanging one is known within the budget',
      () => stateOf('slow') === 'timeout',
    );
    expect(timing.now()).toBeLessThanOrEqual(1_000_000 + 10_000);
    expect(prober.status('ok-1')).toMatchObject({
      kubernetesVersion: 'v1.36.3',
      nodes: { ready: 2, total: 2 },
      capacity: { cpu: 8, memory: 16 * 2 ** 30, pods: 220 },
      requested: { cpu: 1.5, memory: 3 * 2 ** 30, pods: 3 },
      reportedAt: 1_000_000,
    });
    expect(prober.status('empty')).toMatchObject({ requested: { cpu: 0, memory: 0, pods: 0 } });
    for (const name of ['gone', 'slow', 'noauth', 'refused']) {
      const { nodes, capacity, requested, reportedAt, message } = prober.status(name) ?? {};
      expect({ nodes, capacity, requested, reportedAt }).toEqual({});
      expect(message).toMatch(/\S/);
    }
    expect(stateOf('refused')).toBe('refused');
    expect(prober.status('unknown')).toBeUndefined();
    expect(prober.all()).toHaveLength(6);
  });

  it('keeps what it knew of a cluster that went away, with its age, and sees it come back', async () => {
    let answer = healthy(1, 1);
    const url = await serve((call, response) => answer(call, response));
    const states: string[] = [];
    const { prober, start } = make(
      { clusters: { a: await tokenAccess(url) }, allow: { http: ['a'] } },
      [],
      states,
    );
    await start();
    await eventually('it is ok', () => prober.status('a')?.state === 'ok');
    answer = unauthorized;
    timing.advance(16_500);
    await eventually('it is not', () => prober.status('a')?.state === 'unauthorized');
    expect(prober.status('a')).toMatchObject({
      nodes: { ready: 1, total: 1 },
      reportedAt: 1_000_000,
    });
    answer = healthy(2, 1);
    timing.advance(3_300);
    await eventually('it is ok again', () => prober.status('a')?.nodes?.total === 2);
    expect(prober.status('a')).not.toHaveProperty('message');
    expect(states).toEqual(['a starting', 'a ok', 'a unauthorized', 'a ok']);
  });

  it('reads pods less often than the rest', async () => {
    const url = await serve(healthy(1, 1));
    const { prober, start } = make({
      clusters: { a: await tokenAccess(url) },
      allow: { http: ['a'] },
      probe: { usageIntervalSeconds: 40 },
    });
    await start();
    const seen = (path: string) => servers[0].seen.filter(call => call.url.startsWith(path)).length;
    const roundIsOver = (round: number) =>
      seen('/api/v1/nodes') === round && prober.status('a')?.reportedAt === timing.now();
    for (let round = 1; round <= 4; round += 1) {
      await eventually('a round is over', () => roundIsOver(round));
      timing.advance(15_000);
    }
    await eventually('the pods are read again', () => seen('/api/v1/pods') === 2);
    expect(prober.status('a')?.requested?.pods).toBe(1);
  });

  it('says what the identity may not read, and goes on without', async () => {
    const rest = healthy(1, 2);
    const url = await serve((call, response) =>
      call.url.startsWith('/api/v1/nodes')
        ? sendJson(response, 403, {
            kind: 'Status',
            reason: 'Forbidden',
            message: 'nodes is forbidden',
          })
        : rest(call, response),
    );
    const { prober, start } = make({
      clusters: { a: await tokenAccess(url) },
      allow: { http: ['a'] },
    });
    await start();
    await eventually('it is ok', () => prober.status('a')?.state === 'ok');
    expect(prober.status('a')).toMatchObject({
      message: expect.stringMatching(/^a: nodes: GET answered 403 .*Grant this/),
      requested: { pods: 2 },
    });
    expect(prober.status('a')).not.toHaveProperty('nodes');
  });

  it('calls a cluster that has never answered starting, for as long as it was told', async () => {
    const { prober, start } = make({
      clusters: { a: await tokenAccess('http://gone.invalid') },
      allow: { http: ['a'] },
      probe: { startGraceSeconds: 4 },
    });
    await start();
    await eventually('it was tried', () => prober.status('a')?.message !== undefined);
    expect(prober.status('a')?.state).toBe('starting');
    timing.advance(5_000);
    await eventually('its time is over', () => prober.status('a')?.state === 'unreachable');
  });
});

describe('the registry', () => {
  const contexts = (names: string[], server: string) =>
    JSON.stringify({
      clusters: [{ name: 'c', cluster: { server } }],
      users: [{ name: 'u', user: { token: 'abc' } }],
      contexts: names.map(name => ({ name, context: { cluster: 'c', user: 'u' } })),
    });

  it('does not take an empty list for good after a restart either, until a person confirms it (C07)', async () => {
    const url = await serve(healthy(1, 0));
    const kept = new Map<string, string[]>();
    const memory = {
      recall: async (source: string) => kept.get(source),
      remember: async (source: string, clusters: string[]) => {
        kept.set(source, clusters);
      },
    };
    const path = await folder.write('config', contexts(['a', 'b'], url));
    const options = { kubeconfig: { path }, allow: { http: ['a', 'b'] } };
    await make(options, [], [], memory).start();
    expect([...kept.values()]).toEqual([['a', 'b']]);

    await folder.write(
      'config',
      JSON.stringify({ clusters: [{ name: 'c', cluster: { server: url } }] }),
    );
    const later = make(options, [], [], memory);
    await later.start();
    expect(later.registry.list()).toMatchObject({
      clusters: [],
      stale: true,
      problem: 'suddenly-empty',
    });
    expect(later.registry.list().message).toContain('2 of 2 clusters would be emptied');
    later.registry.confirmEmpty();
    expect(later.registry.list()).toMatchObject({ clusters: [], stale: false });
    await eventually('it is remembered', () => [...kept.values()][0].length === 0);
  });

  it('trusts no list while what was listed before cannot be read', async () => {
    const url = await serve(healthy(1, 0));
    const path = await folder.write('config', contexts(['a'], url));
    let broken = true;
    const memory = {
      recall: async () => {
        if (broken) {
          throw new Error('no database');
        }
        return undefined;
      },
      remember: async () => {},
    };
    const { registry, start } = make(
      { kubeconfig: { path }, allow: { http: ['a'] } },
      [],
      [],
      memory,
    );
    await start();
    expect(registry.list()).toMatchObject({ stale: true, problem: 'listing-failed' });
    broken = false;
    await registry.refresh();
    expect(registry.list()).toMatchObject({ stale: false });
  });

  it('keeps the last known clusters while their file cannot be read, and is whole again after it', async () => {
    const url = await serve(healthy(1, 0));
    const path = await folder.write('config', contexts(['a', 'b'], url));
    const { registry, start } = make({ kubeconfig: { path }, allow: { http: ['a', 'b'] } });
    expect(registry.list()).toMatchObject({ clusters: [], stale: true, problem: 'listing-failed' });
    await start();
    expect(registry.list()).toMatchObject({ stale: false, listedAt: 1_000_000 });
    const names = () => registry.list().clusters.map(cluster => cluster.name);
    const client = registry.get('a');
    let changes = 0;
    registry.onChange(() => {
      changes += 1;
    });
    for (const [content, problem] of [
      ['not: a kubeconfig', 'listing-failed'],
      [JSON.stringify({ clusters: [{ name: 'c', cluster: { server: url } }] }), 'suddenly-empty'],
    ]) {
      await folder.write('config', content);
      await registry.refresh();
      expect(names()).toEqual(['a', 'b']);
      expect(registry.list()).toMatchObject({ stale: true, problem });
      expect((await client.request({ method: 'GET', path: '/version' })).status).toBe(200);
    }
    expect(registry.list().message).toContain('2 of 2 clusters would be emptied');
    expect(changes).toBe(2);
    await folder.write('config', contexts(['a'], url));
    timing.advance(5_000);
    await eventually('the list is whole again', () => registry.list().problem === undefined);
    expect(names()).toEqual(['a']);
    expect(registry.get('a')).toBe(client);
    expect(() => registry.get('b')).toThrow(NotFoundError);
    expect(() => registry.get('b')).toThrow('b: there is no such cluster. Known are: a');
  });

  it('takes an empty list when a person confirms it, and lets nobody dial what is gone', async () => {
    const url = await serve(healthy(1, 0));
    const path = await folder.write('config', contexts(['a'], url));
    const { registry, prober, start } = make({ kubeconfig: { path }, allow: { http: ['a'] } });
    await start();
    const client = registry.get('a');
    await eventually('it is known', () => prober.status('a')?.state === 'ok');
    await folder.write(
      'config',
      JSON.stringify({ clusters: [{ name: 'c', cluster: { server: url } }] }),
    );
    await registry.refresh();
    registry.confirmEmpty();
    expect(registry.list()).toMatchObject({ clusters: [], stale: false });
    expect(prober.all()).toEqual([]);
    const asking = client.request({ method: 'GET', path: '/version' });
    await expect(asking).rejects.toMatchObject({ kind: 'refusedByConfiguration' });
  });

  it('keeps the client of a cluster whose address changes', async () => {
    const old = await serve(healthy(1, 0));
    const path = await folder.write('config', contexts(['a'], old));
    const { registry, start } = make({ kubeconfig: { path }, allow: { http: ['a'] } });
    await start();
    const client = registry.get('a');
    await folder.write(
      'config',
      contexts(['a'], await serve((_, response) => sendJson(response, 200, 'new'))),
    );
    await registry.refresh();
    expect((await client.request({ method: 'GET', path: '/anything' })).body).toBe('new');
  });

  it('tells of each refusal once, and again after it was mended', async () => {
    const refusals: ClusterRefusal[] = [];
    const bad = contexts(['a'], 'http://10.0.0.1');
    const path = await folder.write('config', bad);
    const { registry, start } = make({ kubeconfig: { path } }, refusals);
    await start();
    await registry.refresh();
    expect(refusals).toEqual([{ cluster: 'a', why: expect.stringContaining('plain http') }]);
    expect(registry.list().clusters[0].refused).toContain('plain http');
    await expect(
      registry.get('a').request({ method: 'GET', path: '/version' }),
    ).rejects.toMatchObject({
      kind: 'refusedByConfiguration',
      message: expect.stringMatching(/^a: access: .*allow/),
    });
    await folder.write('config', contexts(['a'], 'https://127.0.0.1:1'));
    await registry.refresh();
    await folder.write('config', bad);
    await registry.refresh();
    expect(refusals).toHaveLength(2);
    expect(logger.warnings).toHaveLength(2);
  });

  it('waits for a kubeconfig that is not there yet: what is described is starting, not refused', async () => {
    const path = await folder.write('later', '');
    await rm(path);
    const refusals: ClusterRefusal[] = [];
    const options = {
      clusters: { a: { region: 'eu-1' } },
      kubeconfig: { path },
      allow: { http: ['a'] },
      probe: { startGraceSeconds: 60 },
    };
    const { registry, prober, start } = make(options, refusals);
    await start();
    await eventually('it was tried', () => prober.status('a')?.message !== undefined);
    expect(prober.status('a')).toMatchObject({ state: 'starting', region: 'eu-1' });
    expect(prober.status('a')?.message).toMatch(/^a: access: .* not known yet/);
    expect(registry.list()).toMatchObject({ stale: true, problem: 'listing-failed' });
    expect(registry.list().message).toContain(`the kubeconfig ${path} cannot be read`);
    const client = registry.get('a');

    await folder.write('later', contexts(['a'], await serve(healthy(1, 0))));
    timing.advance(5_000);
    await eventually('the list is whole', () => registry.list().problem === undefined);
    expect((await client.request({ method: 'GET', path: '/version' })).status).toBe(200);
    timing.advance(5_000);
    await eventually('it is ok', () => prober.status('a')?.state === 'ok');
    expect(refusals).toEqual([]);
  });

  it('lays labels and places over what other sources list, and refuses what nobody lists', async () => {
    const url = await serve(healthy(1, 0));
    const path = await folder.write('config', contexts(['a', 'own'], url));
    const { registry, start } = make({
      kubeconfig: { path },
      clusters: {
        a: {
          title: 'Frankfurt',
          region: 'eu',
          labels: { stage: 'production' },
          groups: ['payments'],
        },
        own: { ...(await tokenAccess('https://own.example.org')) },
        lost: { labels: { stage: 'production' } },
      },
      allow: { http: ['a'] },
    });
    await start();
    expect(registry.list().clusters).toEqual([
      expect.objectContaining({
        name: 'a',
        source: 'kubeconfig',
        title: 'Frankfurt',
        region: 'eu',
        labels: { stage: 'production' },
        groups: ['payments'],
      }),
      expect.objectContaining({
        name: 'lost',
        refused: expect.stringContaining('no other source lists this cluster'),
      }),
      expect.objectContaining({ name: 'own', source: 'configuration' }),
    ]);
    expect(registry.list().clusters[2].refused).toBeUndefined();
  });
});

describe('the kubernetes plugin', () => {
  interface Plugin {
    clusters: object;
    status: number;
    tokens: string[];
  }

  /** A Backstage that answers in the place of the kubernetes plugin. */
  async function withPlugin(plugin: Plugin) {
    const url = await serve((call, response) => {
      if (call.headers.authorization !== `Bearer ${plugin.tokens.at(-1)}`) {
        sendJson(response, 401, {
          error: { name: 'AuthenticationError', message: 'token expired' },
        });
      } else if (call.url === '/api/kubernetes/clusters') {
        sendJson(response, plugin.status, plugin.clusters);
      } else {
        sendJson(response, 200, { gitVersion: 'v1.36.3', items: [] });
      }
    });
    access = createClusterAccess({
      config: new ConfigReader({ multiclusterRelease: { kubernetesPlugin: true } }),
      logger,
      timing,
      discovery: { getBaseUrl: async pluginId => `${url}/api/${pluginId}` },
      auth: {
        getOwnServiceCredentials: async () => ({
          $$type: '@backstage/BackstageCredentials',
          principal: { type: 'service', subject: 'plugin:multicluster-release' },
        }),
        getPluginRequestToken: async ({ targetPluginId }) => {
          expect(targetPluginId).toBe('kubernetes');
          return { token: plugin.tokens.at(-1) ?? '' };
        },
      },
    });
    return access;
  }

  it('brings its clusters, and carries requests to each of them', async () => {
    const plugin = {
      clusters: { items: [{ name: 'a', title: 'A' }, { name: 'b' }] },
      status: 200,
      tokens: ['t1'],
    };
    const { registry, start } = await withPlugin(plugin);
    await start();
    expect(registry.list().clusters).toEqual([
      expect.objectContaining({ name: 'a', title: 'A', source: 'kubernetesPlugin' }),
      expect.objectContaining({ name: 'b', source: 'kubernetesPlugin' }),
    ]);
    await registry
      .get('b')
      .request({ method: 'PATCH', path: '/apis/apps/v1/x', query: { a: 1 }, body: { b: 2 } });
    const call = servers[0].seen.find(seen => seen.method === 'PATCH');
    expect(call?.url).toBe('/api/kubernetes/proxy/apis/apps/v1/x?a=1');
    expect(call?.headers).toMatchObject({
      'backstage-kubernetes-cluster': 'b',
      'accept-encoding': 'identity',
    });
    expect(call?.body).toBe('{"b":2}');
  });

  it('fetches another token when its own is no longer taken', async () => {
    const plugin = { clusters: { items: [{ name: 'a' }] }, status: 200, tokens: ['t1'] };
    const { registry, start } = await withPlugin(plugin);
    await start();
    plugin.tokens.push('t2');
    expect((await registry.get('a').request({ method: 'GET', path: '/version' })).status).toBe(200);
  });

  it.each([
    ['an error', { status: 500, clusters: {} }, 'listing-failed'],
    ['refused access', { status: 403, clusters: {} }, 'listing-failed'],
    ['no list', { status: 200, clusters: { items: 'none' } }, 'listing-failed'],
    ['half a list', { status: 200, clusters: { items: [{ name: 'a' }, {}] } }, 'listing-failed'],
    ['an empty list', { status: 200, clusters: { items: [] } }, 'suddenly-empty'],
  ])('keeps its clusters through %s (C07)', async (_, fault, problem) => {
    const plugin: Plugin = {
      clusters: { items: [{ name: 'a' }, { name: 'b' }] },
      status: 200,
      tokens: ['t1'],
    };
    const { registry, start } = await withPlugin(plugin);
    await start();
    Object.assign(plugin, fault);
    await registry.refresh();
    expect(registry.list()).toMatchObject({ stale: true, problem });
    expect(registry.list().clusters.map(cluster => cluster.name)).toEqual(['a', 'b']);
  });
});
