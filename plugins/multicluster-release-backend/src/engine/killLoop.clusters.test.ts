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

  /** 1.0.0 runs, 2.0.0 is asked for and nobody works on it yet. */
  async function prepare(database: string, namespace: string): Promise<string> {
    await clusters.kubectl(CLUSTER, 'create', 'namespace', namespace);
    const backend = await smallBackend({ database, kubeconfig: clusters.kubeconfig });
    backend.engine.start();
    await backend.ended(
      await backend.release(releaseDocuments({ version: '1.0.0', clusters: [CLUSTER], namespace })),
    );
    await backend.engine.stop();
    const releaseId = await backend.release(
      releaseDocuments({ version: '2.0.0', clusters: [CLUSTER], namespace }),
    );
    await backend.close();
    return releaseId;
  }

  async function killAtPoint(
    point: number,
  ): Promise<{ first: Life; second?: Life; live: unknown }> {
    const namespace = `kill-${point}`;
    const database = join(folder, `${namespace}.sqlite`);
    const releaseId = await prepare(database, namespace);
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

  it('goes on from every instruction of a plan within the lease, with nothing to clean up', async () => {
    const whole = await killAtPoint(0);
    expect(whole.first).toMatchObject({ killed: false, state: 'Succeeded' });
    const points = whole.first.passed ?? 0;
    expect(points).toBeGreaterThan(10);
    expect(whole.live).toEqual([
      'ConfigMap/checkout {"version":"2.0.0"}',
      'Deployment/checkout',
      'Service/checkout',
    ]);

    const waiting = Array.from({ length: points }, (_, index) => index + 1);
    const results = new Map<number, Awaited<ReturnType<typeof killAtPoint>>>();
    await Promise.all(
      Array.from({ length: LANES }, async () => {
        for (let point = waiting.shift(); point !== undefined; point = waiting.shift()) {
          results.set(point, await killAtPoint(point));
        }
      }),
    );
    const killed = [...results.values()].filter(({ first }) => first.killed);
    // The number of turns varies by a few with what the watches tell when.
    expect(killed.length).toBeGreaterThan(10);
    for (const [point, { first, second, live }] of results) {
      const last = second ?? first;
      expect({ point, state: last.state, live }).toEqual({
        point,
        state: 'Succeeded',
        live: whole.live,
      });
    }
  }, 1_200_000);
});
