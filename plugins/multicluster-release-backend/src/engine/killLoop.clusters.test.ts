import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { realClusters, type RealClusters } from '../testing/realClusters';
import { releaseDocuments } from '../testing/samples';
import { smallBackend } from '../testing/smallBackend';

const CLUSTER = 'kill-a';
/** Lives wait for each other's leases most of the time, so several can share two cores. */
const LANES = 6;
const PROGRAM = resolve(__dirname, '../testing/killedBackend.ts');

type Way = 'forward' | 'back' | 'back to nothing';

/** Its only cluster gets the new version, and then a person is asked. */
const BY_HAND = {
  type: 'Canary',
  canary: { steps: [{ clusters: [CLUSTER], pause: {} }] },
};

/** Both sides of each of three writes, and the turns between. */
const FEWEST_POINTS = 7;

interface Life {
  killed: boolean;
  state?: string;
  passed?: number;
}

describe('a backend that is killed with -9', () => {
  let clusters: RealClusters;
  let folder: string;

  beforeAll(async () => {
    clusters = await realClusters(CLUSTER);
    folder = await mkdtemp(join(tmpdir(), 'multicluster-release-kill-'));
  }, 1_200_000);

  afterAll(async () => {
    await clusters.remove();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  async function liveOnce(database: string, releaseId: string, killAt: number): Promise<Life> {
    const args = [
      '--require',
      require.resolve('@backstage/cli-node/config/nodeTransform.cjs'),
      PROGRAM,
    ];
    try {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [...args, database, clusters.kubeconfig, releaseId, String(killAt)],
        { env: { ...process.env, NODE_OPTIONS: '' }, timeout: 240_000 },
      );
      return { killed: false, ...JSON.parse(stdout) };
    } catch (error) {
      if ((error as { signal?: string }).signal !== 'SIGKILL') {
        throw error;
      }
      return { killed: true };
    }
  }

  /** What runs, what is asked for; nobody works on it yet. */
  async function prepare(way: Way, database: string, namespace: string): Promise<string> {
    await clusters.kubectl(CLUSTER, 'create', 'namespace', namespace);
    const backend = await smallBackend({ database, kubeconfig: clusters.kubeconfig });
    const release = (version: string, strategy?: object) =>
      backend.release(releaseDocuments({ version, clusters: [CLUSTER], namespace, strategy }));
    backend.engine.start();
    if (way !== 'back to nothing') {
      await backend.ended(await release('1.0.0'));
    }
    if (way === 'forward') {
      await backend.engine.stop();
    }
    const releaseId = await release('2.0.0', way === 'forward' ? undefined : BY_HAND);
    if (way !== 'forward') {
      await backend.until(releaseId, ({ waiting }) => waiting[0]?.code === 'promote');
      await backend.engine.stop();
      await backend.act(releaseId, 'rollback');
    }
    await backend.close();
    return releaseId;
  }

  async function killAtPoint(
    way: Way,
    point: number,
  ): Promise<{ first: Life; second?: Life; live: unknown }> {
    const namespace = `kill-${way.replace(/ /g, '-')}-${point}`;
    const database = join(folder, `${namespace}.sqlite`);
    const releaseId = await prepare(way, database, namespace);
    const first = await liveOnce(database, releaseId, point);
    const second = first.killed ? await liveOnce(database, releaseId, 0) : undefined;
    return { first, second, live: await liveObjects(namespace) };
  }

  async function liveObjects(namespace: string) {
    const { items } = JSON.parse(
      await clusters.kubectl(
        CLUSTER,
        '-n',
        namespace,
        'get',
        'deployments,configmaps,services',
        '-o',
        'json',
      ),
    );
    return (
      items as {
        kind: string;
        metadata: { name: string };
        data?: object;
        spec?: Record<string, never>;
        status?: Record<string, never>;
      }[]
    )
      .filter(({ metadata }) => metadata.name !== 'kube-root-ca.crt')
      .map(
        ({ kind, metadata, data }) =>
          `${kind}/${metadata.name}${data ? ` ${JSON.stringify(data)}` : ''}`,
      )
      .sort();
  }

  const objects = (version: string) => [
    `ConfigMap/checkout {"version":"${version}"}`,
    'Deployment/checkout',
    'Service/checkout',
  ];

  it.each<[Way, { state: string; live: string[] }]>([
    ['forward', { state: 'Succeeded', live: objects('2.0.0') }],
    [
      'back',
      {
        state: 'RolledBack',
        live: [...objects('1.0.0'), 'ConfigMap/only-in-1 {"a":"b"}'].sort(),
      },
    ],
    ['back to nothing', { state: 'RolledBack', live: [] }],
  ])(
    'goes on from every instruction of a plan within the lease, with nothing to clean up (C32): %s',
    async (way, { state, live }) => {
      const whole = await killAtPoint(way, 0);
      expect(whole).toEqual({ first: expect.objectContaining({ killed: false, state }), live });
      const points = whole.first.passed ?? 0;
      expect(points).toBeGreaterThan(FEWEST_POINTS);

      const waiting = Array.from({ length: points }, (_, index) => index + 1);
      const results = new Map<number, Awaited<ReturnType<typeof killAtPoint>>>();
      await Promise.all(
        Array.from({ length: LANES }, async () => {
          for (let point = waiting.shift(); point !== undefined; point = waiting.shift()) {
            results.set(point, await killAtPoint(way, point));
          }
        }),
      );
      const killed = [...results.values()].filter(({ first }) => first.killed);
      // The number of turns varies by a few with what the watches tell when.
      expect(killed.length).toBeGreaterThan(FEWEST_POINTS);
      for (const [point, { first, second, live: left }] of results) {
        expect({ point, state: (second ?? first).state, left }).toEqual({
          point,
          state,
          left: live,
        });
      }
    },
    1_200_000,
  );
});
