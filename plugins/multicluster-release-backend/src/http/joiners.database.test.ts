import request from 'supertest';
import { catchUpJoiners } from '../commands/releases/catchUpJoiners';
import { describeOnEachDatabase } from '../store/__testUtils__/eachDatabase';
import { createBench, SERVICE, type Bench } from './__testUtils__/bench';
import { sampleTemplate } from './__testUtils__/documents';
import { until } from './__testUtils__/until';

// A database of its own for each test, and the real router: slow where the machine is busy.
jest.setTimeout(60_000);

const API_VERSION = 'multicluster-release.io/v1';

function documents(joining: 'CatchUp' | 'NextRelease', version = '1.0.0') {
  return [
    {
      apiVersion: API_VERSION,
      kind: 'ClusterRelease',
      metadata: { name: 'checkout' },
      spec: {
        targetVersion: version,
        placement: 'everywhere',
        policy: { joining },
        strategy: { type: 'RollingUpdate', rollingUpdate: { mode: 'Parallel' } },
      },
    },
    {
      apiVersion: API_VERSION,
      kind: 'PlacementRule',
      metadata: { name: 'everywhere' },
      spec: { select: {}, namespace: 'production', groups: [{ name: 'all', match: {} }] },
    },
    sampleTemplate(),
  ];
}

describeOnEachDatabase('clusters that join the fleet', open => {
  let bench: Bench;

  beforeEach(async () => {
    bench = createBench({ database: await open() });
    bench.engine.start();
    listed('cluster-a', 'cluster-b');
  });

  afterEach(() => bench.stop());

  function listed(...names: string[]) {
    bench.fleet.listing = {
      clusters: names.map(name => ({ name, labels: {}, source: 'configuration' as const })),
    };
  }

  const ended = (id: string) =>
    until(
      async () => (await request(bench.app).get(`/releases/${id}`).expect(200)).body,
      ({ state }) => state === 'Succeeded',
    );

  async function release(...args: Parameters<typeof documents>) {
    const { body } = await request(bench.app)
      .post(`/releases?service=${SERVICE}`)
      .send(documents(...args))
      .expect(201);
    return ended(body.id);
  }

  it('catch up with what the newest release brought, once, as a release of their own', async () => {
    await release('CatchUp');
    expect(await catchUpJoiners(bench.commands)).toEqual([]);
    listed('cluster-a', 'cluster-b', 'cluster-c');
    const both = await Promise.all([
      catchUpJoiners(bench.commands),
      catchUpJoiners(bench.commands),
    ]);
    const [made] = both.flat();
    expect(both.flat()).toHaveLength(1);
    expect(await ended(made)).toMatchObject({
      counts: { total: 1, done: 1 },
      reason: expect.stringContaining('joined the fleet'),
    });
    expect(bench.hands.writtenClusters()).toEqual(['cluster-a', 'cluster-b', 'cluster-c']);
    expect(await catchUpJoiners(bench.commands)).toEqual([]);
  });

  it('wait for the next release where the policy says so', async () => {
    await release('NextRelease');
    listed('cluster-a', 'cluster-b', 'cluster-c');
    expect(await catchUpJoiners(bench.commands)).toEqual([]);
    await release('NextRelease', '2.0.0');
    expect(bench.hands.writtenClusters()).toContain('cluster-c');
  });

  it('get nothing while the list of clusters cannot be trusted (C07), and never a held version (C20)', async () => {
    const { id } = await release('CatchUp');
    await release('CatchUp', '2.0.0');
    bench.fleet.listing = { ...bench.fleet.listing, problem: 'listing-failed', stale: true };
    await expect(catchUpJoiners(bench.commands)).rejects.toThrow();
    listed('cluster-a', 'cluster-b', 'cluster-c');
    const newest = await request(bench.app).get(`/releases?service=${SERVICE}`).expect(200);
    expect(newest.body.items[0].id).not.toBe(id);
    const back = await request(bench.app)
      .post(`/releases/${newest.body.items[0].id}/rollback`)
      .send({})
      .expect(201);
    await ended(back.body.id);
    expect(await catchUpJoiners(bench.commands)).toEqual([]);
  });
});
