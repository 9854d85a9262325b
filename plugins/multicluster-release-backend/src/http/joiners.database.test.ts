import request from 'supertest';
import { catchUpJoiners } from '../commands/releases/catchUpJoiners';
import { describeOnEachDatabase } from '../store/__testUtils__/eachDatabase';
import { createBench, SERVICE, type Bench } from './__testUtils__/bench';
import { BY_HAND, releaseEverywhere, sampleTemplate } from './__testUtils__/documents';
import { until } from './__testUtils__/until';

// A database of its own for each test, and the real router: slow where the machine is busy.
jest.setTimeout(60_000);

const at = (cluster: string) => ({ cluster, namespace: 'production' });

function documents(
  joining: 'CatchUp' | 'NextRelease',
  version?: string,
  strategy?: object,
  template?: object,
) {
  return releaseEverywhere({ version, strategy, template, more: { policy: { joining } } });
}

/** Two replicas in the region `ap`. */
function templateForRegions(): object {
  const { spec, ...rest } = sampleTemplate() as { spec: object };
  const target = { kind: 'Deployment', name: 'checkout' };
  const patches = [{ target, patch: { spec: { replicas: 2 } } }];
  return { ...rest, spec: { ...spec, overrides: [{ match: { region: 'ap' }, patches }] } };
}

describeOnEachDatabase('clusters that join the fleet', open => {
  let bench: Bench;

  beforeEach(async () => {
    bench = createBench({ database: await open() });
    bench.engine.start();
    bench.fleet.consistsOf('cluster-a', 'cluster-b');
  });

  afterEach(() => bench.stop());

  const catchUp = (inCatalog = true) =>
    catchUpJoiners(bench.commands, async () => (inCatalog ? {} : undefined));

  const ended = (id: string) =>
    until(
      async () => (await request(bench.app).get(`/releases/${id}`).expect(200)).body,
      ({ state }) => state === 'Succeeded',
    );

  async function start(...args: Parameters<typeof documents>): Promise<string> {
    const { body } = await request(bench.app)
      .post(`/releases?service=${SERVICE}`)
      .send(documents(...args))
      .expect(201);
    return body.id;
  }

  const release = async (...args: Parameters<typeof documents>) => ended(await start(...args));

  const order = (id: string, action: string, body: object = {}) =>
    request(bench.app).post(`/releases/${id}/${action}`).send(body).expect(200);

  /** A first release that waits after cluster-a, until a person goes on. */
  async function releaseByHand(meanwhile: (id: string) => Promise<unknown>) {
    const id = await start('CatchUp', '1.0.0', BY_HAND);
    await until(
      async () => (await request(bench.app).get(`/releases/${id}`)).body,
      ({ waiting }) => waiting[0]?.code === 'promote',
    );
    await meanwhile(id);
    await order(id, 'promote');
    return ended(id);
  }

  it('catch up with what the newest release brought, once, as a release of their own', async () => {
    await release('CatchUp');
    expect(await catchUp()).toEqual([]);
    bench.fleet.consistsOf('cluster-a', 'cluster-b', 'cluster-c');
    const both = await Promise.all([catchUp(), catchUp()]);
    const [made] = both.flat();
    expect(both.flat()).toHaveLength(1);
    expect(await ended(made)).toMatchObject({
      counts: { total: 1, done: 1 },
      reason: expect.stringContaining('joined the fleet'),
    });
    expect(bench.hands.writtenClusters()).toEqual(['cluster-a', 'cluster-b', 'cluster-c']);
    expect(await catchUp()).toEqual([]);
  });

  it('wait for the next release where the policy says so', async () => {
    await release('NextRelease');
    bench.fleet.consistsOf('cluster-a', 'cluster-b', 'cluster-c');
    expect(await catchUp()).toEqual([]);
    await release('NextRelease', '2.0.0');
    expect(bench.hands.writtenClusters()).toContain('cluster-c');
  });

  it('get nothing while the list of clusters cannot be trusted (C07), and never a held version (C20)', async () => {
    const { id } = await release('CatchUp');
    await release('CatchUp', '2.0.0');
    bench.fleet.listing = { ...bench.fleet.listing, problem: 'listing-failed', stale: true };
    await expect(catchUp()).rejects.toThrow();
    bench.fleet.consistsOf('cluster-a', 'cluster-b', 'cluster-c');
    const newest = await request(bench.app).get(`/releases?service=${SERVICE}`).expect(200);
    expect(newest.body.items[0].id).not.toBe(id);
    const back = await request(bench.app)
      .post(`/releases/${newest.body.items[0].id}/rollback`)
      .send({})
      .expect(201);
    await ended(back.body.id);
    expect(await catchUp()).toEqual([]);
  });

  it('are none where a person has skipped them, also after others have joined', async () => {
    await releaseByHand(id => order(id, 'skip-cluster', { targets: [at('cluster-b')] }));
    expect(await catchUp()).toEqual([]);
    bench.fleet.consistsOf('cluster-a', 'cluster-b', 'cluster-c');
    const [made] = await catchUp();
    await ended(made);
    expect(await catchUp()).toEqual([]);
    expect(bench.hands.writtenClusters()).toEqual(['cluster-a', 'cluster-c']);
  });

  it('are those that had left the fleet before their turn came, when they return', async () => {
    await releaseByHand(async () => bench.fleet.consistsOf('cluster-a'));
    bench.fleet.consistsOf('cluster-a', 'cluster-b');
    const [made] = await catchUp();
    await ended(made);
    expect(bench.hands.writtenClusters()).toEqual(['cluster-a', 'cluster-b']);
  });

  it('are none where a person has sent them back, or has taken the service off', async () => {
    await releaseByHand(async id => {
      await order(id, 'rollback', { targets: [at('cluster-a')], reason: 'not there' });
      await until(
        async () => (await request(bench.app).get(`/versions?service=${SERVICE}`)).body,
        ({ items }) => items.length === 0,
      );
    });
    expect(await catchUp()).toEqual([]);
    await release('CatchUp', '2.0.0');
    const { body } = await request(bench.app)
      .delete('/services/component/default/checkout/clusters/cluster-b')
      .query({ reason: 'the cluster is going away' })
      .expect(201);
    await ended(body.id);
    expect(await catchUp()).toEqual([]);
  });

  it('get what was made for the same overrides, and nothing where there is none', async () => {
    const inRegion = (name: string, region: string) => ({
      ...{ name, region, labels: {}, source: 'configuration' as const },
    });
    const first = inRegion('cluster-a', 'ap');
    bench.fleet.listing = { clusters: [first] };
    await release('CatchUp', '1.0.0', undefined, templateForRegions());
    bench.fleet.listing = {
      clusters: [first, inRegion('cluster-b', 'eu'), inRegion('cluster-c', 'ap')],
    };
    const [made] = await catchUp();
    expect(await ended(made)).toMatchObject({ counts: { total: 1 } });
    expect(bench.hands.writtenClusters()).toEqual(['cluster-a', 'cluster-c']);
    const digests = [...bench.hands.shown.values()].map(({ digest }) => digest);
    expect(new Set(digests).size).toBe(1);
  });

  it('get it also where others with other overrides have caught up before', async () => {
    const inRegion = (name: string, region: string) => ({
      ...{ name, region, labels: {}, source: 'configuration' as const },
    });
    const fleet = [inRegion('cluster-a', 'ap'), inRegion('cluster-b', 'eu')];
    bench.fleet.listing = { clusters: fleet };
    await release('CatchUp', '1.0.0', undefined, templateForRegions());
    for (const [name, region] of [
      ['cluster-c', 'ap'],
      ['cluster-d', 'eu'],
    ]) {
      fleet.push(inRegion(name, region));
      bench.fleet.listing = { clusters: [...fleet] };
      await ended((await catchUp())[0]);
    }
    const digestOf = (name: string) => bench.hands.shown.get(`${name}/production`)?.digest;
    expect(digestOf('cluster-c')).toBe(digestOf('cluster-a'));
    expect(digestOf('cluster-d')).toBe(digestOf('cluster-b'));
    expect(digestOf('cluster-c')).not.toBe(digestOf('cluster-d'));
  });

  it('get nothing where the owner of the service may not write by now', async () => {
    await release('CatchUp');
    bench.fleet.consistsOf('cluster-a', 'cluster-b', 'cluster-c');
    const rule = {
      owners: ['*'],
      namespaces: ['production'],
      clusters: ['cluster-a', 'cluster-b'],
    };
    bench.commands.settings.tenancy = [rule];
    expect(await catchUp()).toEqual([]);
    bench.commands.settings.tenancy = [{ ...rule, clusters: ['cluster-*'] }];
    expect(await catchUp()).toHaveLength(1);
  });

  it('get nothing of a service whose entity is gone', async () => {
    await release('CatchUp');
    bench.fleet.consistsOf('cluster-a', 'cluster-b', 'cluster-c');
    expect(await catchUp(false)).toEqual([]);
    expect(await catchUp()).toHaveLength(1);
  });
});
