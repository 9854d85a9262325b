import request from 'supertest';
import { describeOnEachDatabase } from '../store/__testUtils__/eachDatabase';
import { createBench, SERVICE, type Bench } from './__testUtils__/bench';
import { BY_HAND, releaseEverywhere, SERIAL } from './__testUtils__/documents';
import { until } from './__testUtils__/until';

// A database of its own for each test, and the real router: slow where the machine is busy.
jest.setTimeout(60_000);

describeOnEachDatabase('the clusters of a queued release', open => {
  let bench: Bench;

  beforeEach(async () => {
    bench = createBench({ database: await open() });
    bench.engine.start();
    bench.fleet.consistsOf('cluster-a', 'cluster-b');
  });

  afterEach(() => bench.stop());

  async function start(version: string, strategy: object): Promise<string> {
    const { body } = await request(bench.app)
      .post(`/releases?service=${SERVICE}`)
      .send(releaseEverywhere({ version, strategy }))
      .expect(201);
    return body.id;
  }

  const read = async (id: string) =>
    (await request(bench.app).get(`/releases/${id}`).expect(200)).body;
  const waitsFor = (id: string, code: string) =>
    until(
      () => read(id),
      ({ waiting }) => waiting[0]?.code === code,
    );
  const ended = (id: string) =>
    until(
      () => read(id),
      ({ state }) => state === 'Succeeded',
    );

  /** One release waits for a person, the next one behind it; then the fleet changes, and the first one ends. */
  async function queued(meanwhile: () => void, strategy = SERIAL as object): Promise<string> {
    const first = await start('1.0.0', BY_HAND);
    await waitsFor(first, 'promote');
    const next = await start('2.0.0', strategy);
    await waitsFor(next, 'queue');
    meanwhile();
    await request(bench.app).post(`/releases/${first}/promote`).send({}).expect(200);
    await ended(first);
    return next;
  }

  const accept = async (id: string) => {
    const { body } = await request(bench.app).get(`/releases/${id}`).expect(200);
    await request(bench.app)
      .post(`/releases/${id}/accept`)
      .send({ planHash: body.plan.hash })
      .expect(200);
  };

  it('are those of the moment in which its turn comes, after a person has agreed', async () => {
    const next = await queued(() => bench.fleet.consistsOf('cluster-a', 'cluster-b', 'cluster-c'));
    const asked = await waitsFor(next, 'planChanged');
    expect(asked.waiting[0].message).toContain('cluster-c joined since it was queued');
    expect(asked).toMatchObject({ plan: { number: 2 }, counts: { total: 3 } });
    await accept(next);
    await ended(next);
    expect(bench.hands.writtenClusters().slice(-3)).toEqual([
      'cluster-a',
      'cluster-b',
      'cluster-c',
    ]);
  });

  it('are not those that the owner of the service may not write to', async () => {
    bench.commands.settings.tenancy = [
      { owners: ['*'], namespaces: ['production'], clusters: ['cluster-a', 'cluster-b'] },
    ];
    const next = await queued(() => bench.fleet.consistsOf('cluster-a', 'cluster-b', 'cluster-c'));
    expect(await ended(next)).toMatchObject({ counts: { total: 2, done: 2 } });
  });

  it('are not those that may take all but the Jobs of its steps', async () => {
    const rule = { owners: ['*'], namespaces: ['production'] };
    bench.commands.settings.tenancy = [
      { ...rule, clusters: ['cluster-a', 'cluster-b'] },
      { ...rule, kinds: ['Deployment.apps'] },
    ];
    const manifest = {
      ...{ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'smoke' } },
      spec: {
        template: {
          spec: { restartPolicy: 'Never', containers: [{ name: 'smoke', image: 'smoke:1' }] },
        },
      },
    };
    const strategy = {
      type: 'Canary',
      canary: { steps: [{ clusters: ['cluster-a'], jobs: [{ manifest }] }] },
    };
    const next = await queued(
      () => bench.fleet.consistsOf('cluster-a', 'cluster-b', 'cluster-c'),
      strategy,
    );
    expect(await ended(next)).toMatchObject({ counts: { total: 2, done: 2 } });
  });

  it('are without one that has left meanwhile, which is told and takes no part', async () => {
    const next = await queued(() => bench.fleet.consistsOf('cluster-a'));
    const asked = await waitsFor(next, 'planChanged');
    expect(asked.waiting[0].message).toContain('cluster-b left since it was queued');
    await accept(next);
    await ended(next);
    const { body } = await request(bench.app).get(`/releases/${next}/events`).expect(200);
    expect(body.items).toContainEqual(
      expect.objectContaining({ code: 'TargetLeft', cluster: 'cluster-b' }),
    );
    expect(bench.hands.writtenClusters().slice(-1)).toEqual(['cluster-a']);
  });

  it('stay as they are where nobody came or went', async () => {
    const next = await queued(() => {});
    expect(await ended(next)).toMatchObject({ counts: { total: 2, done: 2 } });
  });

  it('are waited for while the list cannot be trusted (C07)', async () => {
    const next = await queued(() => {
      bench.fleet.listing = { ...bench.fleet.listing, stale: true, message: 'no answer' };
    });
    const waits = await waitsFor(next, 'clusters');
    expect(waits.waiting[0].message).toContain('no answer');
    bench.fleet.listing = { ...bench.fleet.listing, stale: false };
    await ended(next);
  });
});
