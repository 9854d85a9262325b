import request from 'supertest';
import { describeOnEachDatabase } from '../store/__testUtils__/eachDatabase';
import { createBench, SERVICE, type Bench } from './__testUtils__/bench';
import {
  BY_HAND,
  sampleRelease,
  sampleTemplate,
  type ReleaseOptions,
} from './__testUtils__/documents';
import { until } from './__testUtils__/until';

// A database of its own for each test, and the real router: slow where the machine is busy.
jest.setTimeout(60_000);

const FROM_B = '/services/component/default/checkout/clusters/cluster-b';
const FROM_A = FROM_B.replace('cluster-b', 'cluster-a');
const REASON = 'the cluster is going away';

describeOnEachDatabase('taking a service off a cluster', open => {
  let bench: Bench;

  beforeEach(async () => {
    bench = createBench({ database: await open() });
    bench.engine.start();
    await release({ version: '1.0.0' });
  });

  afterEach(() => bench.stop());

  const ended = (id: string) =>
    until(
      async () => (await request(bench.app).get(`/releases/${id}`).expect(200)).body,
      ({ state }) => state === 'Succeeded',
    );

  async function start(options: ReleaseOptions): Promise<string> {
    const documents = [sampleRelease(options), sampleTemplate()];
    const { body } = await request(bench.app)
      .post(`/releases?service=${SERVICE}`)
      .send(documents)
      .expect(201);
    return body.id;
  }

  const release = async (options: ReleaseOptions) => ended(await start(options));

  const waitsFor = (id: string, code: string) =>
    until(
      async () => (await request(bench.app).get(`/releases/${id}`).expect(200)).body,
      ({ waiting }) => waiting[0]?.code === code,
    );

  const remove = (path: string, query: object) => request(bench.app).delete(path).query(query);

  async function clusters() {
    const { body } = await request(bench.app).get(`/versions?service=${SERVICE}`).expect(200);
    return body.items.map(({ cluster }: { cluster: string }) => cluster);
  }

  it('says what would go, removes it as a release with a reason, and can bring it back', async () => {
    const { body: preview } = await remove(FROM_B, { dryRun: true }).expect(200);
    expect(preview).toMatchObject({
      targets: [{ cluster: 'cluster-b', namespace: 'production' }],
      findings: [],
    });
    expect(await clusters()).toEqual(['cluster-a', 'cluster-b']);

    await remove(FROM_B, {}).expect(400);
    const { body } = await remove(FROM_B, { reason: REASON }).expect(201);
    expect(await ended(body.id)).toMatchObject({ strategy: 'Removal', reason: REASON });
    expect(await clusters()).toEqual(['cluster-a']);
    const stages = await request(bench.app).get(`/releases/${body.id}/stages`).expect(200);
    expect(stages.body.items).toMatchObject([{ name: 'removal', state: 'done' }]);
    const effects = bench.hands.performed.filter(({ target }) => target.cluster === 'cluster-b');
    expect(effects.at(-1)).toMatchObject({ kind: 'remove', digest: undefined });

    const back = await request(bench.app)
      .post(`/releases/${body.id}/rollback`)
      .send({})
      .expect(201);
    await ended(back.body.id);
    expect(await clusters()).toEqual(['cluster-a', 'cluster-b']);
  });

  it('removes nothing where the service would then run nowhere, unless that is meant (C01)', async () => {
    bench.fleet.states.set('cluster-a', { state: 'unreachable' });
    const { body: preview } = await remove(FROM_B, { dryRun: true }).expect(200);
    expect(preview.findings).toMatchObject([{ code: 'NoEligibleCluster', severity: 'error' }]);
    const { body } = await remove(FROM_B, { reason: REASON }).expect(400);
    expect(body.error.code).toBe('NoEligibleCluster');
    expect(await clusters()).toEqual(['cluster-a', 'cluster-b']);
    const meant = await remove(FROM_B, { reason: REASON, last: true }).expect(201);
    await ended(meant.body.id);
  });

  it('lets only one of the last two go when both are asked for at once', async () => {
    const answers = await Promise.all(
      ['cluster-a', 'cluster-b'].map(name =>
        remove(FROM_B.replace('cluster-b', name), { reason: REASON }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
    const [first] = answers.filter(({ status }) => status === 201);
    await ended(first.body.id);
    expect(await clusters()).toHaveLength(1);
  });

  it('asks again when its turn comes, and waits for a person where it would then run nowhere (C01)', async () => {
    const { body: first } = await remove(FROM_A, { reason: REASON }).expect(201);
    await ended(first.id);
    const ahead = await start({ version: '2.0.0', strategy: BY_HAND });
    await waitsFor(ahead, 'promote');
    const { body } = await remove(FROM_B, { reason: REASON }).expect(201);
    await request(bench.app).post(`/releases/${ahead}/rollback`).send({}).expect(200);
    const { actions } = await waitsFor(body.id, 'planChanged');
    expect(await clusters()).toEqual(['cluster-b']);
    const { planHash } = actions.accept.params;
    await request(bench.app).post(`/releases/${body.id}/accept`).send({ planHash }).expect(200);
    await ended(body.id);
    expect(await clusters()).toEqual([]);
  });

  it('names the clusters where it runs when it does not run on this one', async () => {
    const { body } = await remove(FROM_B.replace('cluster-b', 'cluster-c'), {
      dryRun: true,
    }).expect(404);
    expect(body.error.message).toContain('it runs on cluster-a, cluster-b');
  });
});
