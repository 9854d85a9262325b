import { AuthorizeResult } from '@backstage/plugin-permission-common';
import { holdReleasePermission, type Waiting } from 'backstage-plugin-multicluster-release-common';
import request from 'supertest';
import { countStatements } from '../store/__testUtils__/countStatements';
import { describeOnEachDatabase } from '../store/__testUtils__/eachDatabase';
import { placeHold } from '../store/operations/holds/placeHold';
import { createBench, SERVICE, type Bench, type BenchOptions } from './__testUtils__/bench';
import {
  BY_HAND,
  sampleRelease,
  sampleTemplate,
  type ReleaseOptions,
} from './__testUtils__/documents';
import { until } from './__testUtils__/until';

// A database of its own for each test, and the real router: slow where the machine is busy.
jest.setTimeout(60_000);

const START = `/releases?service=${SERVICE}`;

describeOnEachDatabase('releases over HTTP', open => {
  let bench: Bench;

  async function setUp(options: Omit<BenchOptions, 'database'> = {}) {
    bench = createBench({ database: await open(), ...options });
    bench.engine.start();
    return bench;
  }

  afterEach(() => bench.stop());

  const send = (url: string, body: object) => request(bench.app).post(url).send(body);
  const documents = (options?: ReleaseOptions) => [sampleRelease(options), sampleTemplate()];

  async function start(options?: ReleaseOptions): Promise<string> {
    const response = await send(START, documents(options));
    expect([response.status, response.body]).toEqual([201, { id: expect.any(String) }]);
    return response.body.id;
  }

  async function stateOf(id: string) {
    const { body } = await request(bench.app).get(`/releases/${id}`).expect(200);
    return body;
  }

  const reach = (id: string, state: string) =>
    until(
      () => stateOf(id),
      release => release.state === state,
    );

  it('previews without writing, starts exactly what was previewed, and succeeds', async () => {
    await setUp();
    const preview = await send(`${START}&dryRun=true`, documents()).expect(200);
    expect(preview.body.findings).toEqual([]);
    expect(preview.body.plan.targets.map((target: { key: string }) => target.key)).toEqual([
      'cluster-a/production',
      'cluster-b/production',
    ]);
    expect(preview.body.diff).toEqual([
      {
        targets: [
          { cluster: 'cluster-a', namespace: 'production' },
          { cluster: 'cluster-b', namespace: 'production' },
        ],
        changes: [expect.objectContaining({ change: 'created' })],
      },
    ]);
    expect(bench.hands.performed).toEqual([]);

    const started = await send(`${START}&planHash=${preview.body.plan.hash}`, documents()).expect(
      201,
    );
    expect(started.headers.location).toBe(`/releases/${started.body.id}`);
    const done = await reach(started.body.id, 'Succeeded');
    expect(done.counts).toMatchObject({ total: 2, done: 2 });
    expect(bench.hands.writtenClusters()).toEqual(['cluster-a', 'cluster-b']);
    expect(bench.changes.at(-1)).toEqual({
      releaseId: done.id,
      service: SERVICE,
      revision: expect.any(Number),
    });
  });

  // A second reading could be newer than the first: done, with a cluster still to be counted.
  it('shows state and counts of one reading', async () => {
    const database = await open();
    bench = createBench({ database });
    bench.engine.start();
    const { body } = await send(START, documents()).expect(201);
    await reach(body.id, 'Succeeded');
    await bench.engine.stop();
    const statements = await countStatements(database, () => stateOf(body.id));
    expect(statements.filter(sql => /from [`"]releases[`"]/.test(sql))).toHaveLength(1);
  });

  it('asks each cluster at preview for the weights that the plan brings it to', async () => {
    await setUp();
    const steps = [
      { clusters: ['cluster-a'], weight: 25 },
      { weight: 50, approximate: true },
    ];
    const strategy = { type: 'Canary', canary: { steps } };
    const { body } = await send(`${START}&dryRun=true`, documents({ strategy })).expect(200);
    expect(body.plan.stages.map(({ name }: { name: string }) => name)).toEqual([
      'cluster-a (weight 25)',
      'step 2 (weight 50)',
      'promotion',
    ]);
    const asked = bench.hands.previewed.map(({ key, weights }) => [key, weights] as const);
    expect(Object.fromEntries(asked)).toEqual({
      'cluster-a/production': [
        { percent: 25, approximate: false },
        { percent: 50, approximate: true },
      ],
      'cluster-b/production': [],
    });
  });

  it('refuses a plan that is no longer the one previewed', async () => {
    await setUp();
    const preview = await send(`${START}&dryRun=true`, documents()).expect(200);
    const other = await send(
      `${START}&planHash=${preview.body.plan.hash}`,
      documents({ version: '2.0.0' }),
    ).expect(409);
    expect(other.body.error).toMatchObject({ name: 'ConflictError', code: 'PlanChanged' });
    expect(bench.hands.performed).toEqual([]);
  });

  it('counts a double click once, and refuses the key for something else', async () => {
    await setUp();
    const click = (version: string) =>
      send(START, documents({ version })).set('Idempotency-Key', 'click-1');
    const [first, second] = await Promise.all([click('1.0.0'), click('1.0.0')]);
    expect([first.status, second.status].sort()).toEqual([200, 201]);
    expect(first.body.id).toBe(second.body.id);
    const other = await click('2.0.0').expect(422);
    expect(other.body.error.code).toBe('IdempotencyKeyReused');
  });

  it('queues the second of two people who press at once, and both come to their end', async () => {
    await setUp();
    const [first, second] = await Promise.all([
      start({ version: '1.0.0' }),
      start({ version: '2.0.0' }),
    ]);
    expect(first).not.toBe(second);
    const ended = await Promise.all([reach(first, 'Succeeded'), reach(second, 'Succeeded')]);
    expect(ended.map(({ targetVersion }) => targetVersion).sort()).toEqual(['1.0.0', '2.0.0']);
    // One after the other on each cluster, never both at once.
    const sequences = bench.hands.performed
      .filter(({ kind }) => kind === 'apply')
      .map(({ stamp }) => stamp.sequence);
    expect(sequences).toEqual([...sequences].sort());
  });

  it.each([
    ['abort', 'Aborted'],
    ['rollback', 'RolledBack'],
  ])('leaves alone what was ended while it waited in the queue: %s', async (action, state) => {
    await setUp();
    const database = bench.commands.database;
    const first = await start({ strategy: BY_HAND });
    await until(
      () => stateOf(first),
      ({ waiting }) => waiting[0]?.code === 'promote',
    );
    const queued = await start({ version: '2.0.0' });
    await send(`/releases/${queued}/${action}`, { reason: 'not needed' }).expect(200);
    expect((await reach(queued, state)).counts).toMatchObject({ done: 0, failed: 0 });
    await send(`/releases/${first}/promote`, {}).expect(200);
    await reach(first, 'Succeeded');
    const withWork = () => database('releases').where('needs_work', true).pluck('id');
    await until(withWork, ids => ids.length === 0);
    // Nobody claims it again and again.
    const tickets = () => database('releases').orderBy('id').pluck('lease_ticket');
    const before = await tickets();
    await start({ version: '2.0.0' });
    await until(withWork, ids => ids.length === 0);
    expect((await tickets()).length).toBe(before.length + 1);
    const { lease_ticket: ticket } = await database('releases').where('id', queued).first();
    expect(before).toContain(ticket);
  });

  it('succeeds without a write where the content runs everywhere already, and says so', async () => {
    await setUp();
    await reach(await start(), 'Succeeded');
    const writes = bench.hands.performed.length;
    const preview = await send(`${START}&dryRun=true`, documents()).expect(200);
    expect(preview.body.findings).toContainEqual(
      expect.objectContaining({ severity: 'info', code: 'RunsEverywhere' }),
    );
    await reach(await start(), 'Succeeded');
    expect(bench.hands.performed).toHaveLength(writes);
  });

  it('lists every fault of a document, and stores nothing', async () => {
    await setUp();
    const bad = {
      ...sampleRelease(),
      spec: { targetVersion: 7, strategy: { type: 'Canarry' }, clusters: [{ name: 'cluster-a' }] },
    };
    const { body } = await send(START, [bad, sampleTemplate()]).expect(400);
    expect(body.error.code).toBe('InvalidDocument');
    expect(body.error.details.map(({ path }: { path: string }) => path)).toEqual(
      expect.arrayContaining(['spec.targetVersion', 'spec.clusters[0].namespace']),
    );
    expect(await bench.commands.database('releases')).toEqual([]);
    expect(await bench.commands.database('contents')).toEqual([]);
  });

  it('names every field that is not built yet, at preview and at start', async () => {
    await setUp();
    const founding = documents({
      strategy: {
        type: 'Canary',
        canary: {
          clusters: [{ name: 'cluster-a', weight: 5 }],
          steps: [{ pause: '10m' }],
        },
        rollback: { type: 'BlueGreen', standbyCluster: 'cluster-green' },
      },
    });
    for (const url of [START, `${START}&dryRun=true`]) {
      const { body } = await send(url, founding).expect(400);
      expect(body.error.code).toBe('NotBuiltYet');
      expect(body.error.details.map(({ path }: { path: string }) => path)).toEqual(
        expect.arrayContaining([
          'spec.strategy.rollback.type',
          'spec.strategy.rollback.standbyCluster',
        ]),
      );
    }
  });

  it('says an unknown cluster at preview, with the ones there are, and refuses the start', async () => {
    await setUp();
    const unknown = documents({ clusters: ['cluster-a', 'cluster-x'] });
    const preview = await send(`${START}&dryRun=true`, unknown).expect(200);
    expect(preview.body.plan).toBeUndefined();
    expect(preview.body.findings).toContainEqual(
      expect.objectContaining({ severity: 'error', code: 'UnknownCluster', cluster: 'cluster-x' }),
    );
    const { body } = await send(START, unknown).expect(400);
    expect(body.error.code).toBe('UnknownCluster');
  });

  it('takes YAML with several documents', async () => {
    await setUp();
    const yaml = documents()
      .map(document => JSON.stringify(document))
      .join('\n---\n');
    const { status } = await request(bench.app)
      .post(START)
      .set('Content-Type', 'text/yaml')
      .send(yaml);
    expect(status).toBe(201);
  });

  it('waits for a person, is paused, promoted and sent back; then the version is on hold', async () => {
    await setUp();
    await reach(await start({ version: '1.0.0' }), 'Succeeded');
    const id = await start({ version: '2.0.0', strategy: BY_HAND });
    const waiting = await until(
      () => stateOf(id),
      release => release.waiting[0]?.code === 'promote',
    );
    expect(waiting.actions.promote).toEqual({ allowed: true, expectedStage: waiting.stage.index });

    await send(`/releases/${id}/pause`, { reason: 'lunch' }).expect(200);
    expect(await stateOf(id)).toMatchObject({
      actions: {
        pause: { allowed: false, reasonCode: 'AlreadyPaused' },
        resume: { allowed: true },
      },
    });
    // Pausing again never fails, and changes nothing.
    const again = await send(`/releases/${id}/pause`, {}).expect(200);
    expect(again.body.result).toBe('unchanged');
    await send(`/releases/${id}/resume`, {}).expect(200);

    const moved = await send(`/releases/${id}/promote`, { expectedStage: 7 }).expect(409);
    expect(moved.body.error).toMatchObject({ code: 'StageMoved', params: { expected: 7 } });

    await send(`/releases/${id}/rollback`, { reason: 'looks wrong' }).expect(200);
    const back = await reach(id, 'RolledBack');
    expect(back.actions.rollback.allowed).toBe(false);
    expect(bench.hands.writtenClusters().filter(cluster => cluster === 'cluster-b')).toHaveLength(
      1,
    );

    const held = await send(START, documents({ version: '2.0.0' })).expect(409);
    expect(held.body.error).toMatchObject({
      code: 'OnHold',
      hold: { version: '2.0.0', reason: 'looks wrong' },
    });
    await request(bench.app).delete(`/holds/${held.body.error.hold.id}`).expect(204);
    await start({ version: '2.0.0' });
  });

  it('rolls back a release that has ended by a new one, and asks before it goes to a held version', async () => {
    await setUp();
    await reach(await start({ version: '1.0.0' }), 'Succeeded');
    const second = await start({ version: '2.0.0' });
    await reach(second, 'Succeeded');

    const click = () =>
      send(`/releases/${second}/rollback`, { reason: 'too slow' }).set('Idempotency-Key', 'click');
    const made = await click().expect(201);
    expect(made.headers.location).toBe(`/releases/${made.body.id}`);
    expect((await click().expect(200)).body).toMatchObject({
      id: made.body.id,
      result: 'repeated',
    });
    const back = await reach(made.body.id, 'Succeeded');
    expect(back).toMatchObject({ rolledBackFrom: second, targetVersion: '1.0.0' });
    expect(await stateOf(second)).toMatchObject({ state: 'Succeeded', rolledBackBy: back.id });
    await send(`/releases/${second}/rollback`, {}).expect(409);

    const summary = await request(bench.app)
      .get('/services/component/default/checkout/summary')
      .expect(200);
    expect(summary.body.holds).toMatchObject([{ version: '2.0.0', reason: 'too slow' }]);
    expect(summary.body.versions).toMatchObject([
      { cluster: 'cluster-a', version: '1.0.0' },
      { cluster: 'cluster-b', version: '1.0.0' },
    ]);

    const asked = await send(`/releases/${back.id}/rollback`, {}).expect(409);
    expect(asked.body.error.code).toBe('OnHold');
    const forth = await send(`/releases/${back.id}/rollback`, { releaseHold: true }).expect(201);
    expect(await reach(forth.body.id, 'Succeeded')).toMatchObject({ targetVersion: '2.0.0' });
  });

  it('rolls back chosen clusters of a release that has ended without a hold on its version', async () => {
    await setUp();
    await reach(await start({ version: '1.0.0' }), 'Succeeded');
    const second = await start({ version: '2.0.0' });
    await reach(second, 'Succeeded');
    const { body: listed } = await request(bench.app).get(`/releases/${second}/targets`);
    const [{ cluster, namespace, canGoBack }] = listed.items;
    expect({ cluster, canGoBack }).toEqual({ cluster: 'cluster-a', canGoBack: true });
    const targets = [{ cluster, namespace }];
    const made = await send(`/releases/${second}/rollback`, { targets }).expect(201);
    await reach(made.body.id, 'Succeeded');
    const { body } = await request(bench.app)
      .get('/services/component/default/checkout/summary')
      .expect(200);
    expect(body.holds).toEqual([]);
    expect(body.versions).toMatchObject([
      { cluster: 'cluster-a', version: '1.0.0' },
      { cluster: 'cluster-b', version: '2.0.0' },
    ]);
    // The rest can follow, and only it is left.
    const rest = await send(`/releases/${second}/rollback`, {}).expect(201);
    const back = await reach(rest.body.id, 'Succeeded');
    expect(back.counts).toMatchObject({ total: 1, done: 1 });
  });

  it('accepts changes on clusters only from who says which ones', async () => {
    await setUp();
    const perform = bench.hands.perform.bind(bench.hands);
    bench.hands.perform = async effect =>
      effect.kind === 'check' && effect.acceptedRisks.length === 0
        ? { result: 'changedSincePreview', message: 'a port goes', risks: ['removal:port'] }
        : perform(effect);
    const id = await start({ version: '1.0.0' });
    const blocked = await until(
      () => stateOf(id),
      ({ waiting }) => waiting.filter(({ code }: Waiting) => code === 'changed').length === 2,
    );
    const { risksHash } = blocked.actions.accept.params;
    const unsaid = await send(`/releases/${id}/accept`, {}).expect(400);
    expect(unsaid.body.error).toMatchObject({
      code: 'RisksNotNamed',
      message: expect.stringContaining('targets'),
    });
    const old = await send(`/releases/${id}/accept`, { risksHash: 'of before' }).expect(409);
    expect(old.body.error).toMatchObject({ code: 'PlanChanged', params: { risksHash } });
    await send(`/releases/${id}/accept`, { risksHash }).expect(200);
  });

  it('refuses a version that comes on hold while its release is being prepared', async () => {
    await setUp();
    await reach(await start({ version: '1.0.0' }), 'Succeeded');
    const { database } = bench.commands;
    const placed = () =>
      database.transaction(tx =>
        placeHold(tx, {
          service: SERVICE,
          version: '2.0.0',
          reason: 'crashed elsewhere',
          releaseId: 'other',
          now: Date.now(),
        }),
      );
    let placing: Promise<void> | undefined;
    // Both clusters are previewed at once.
    bench.hands.duringPreview = () => (placing ??= placed());
    const held = await send(START, documents({ version: '2.0.0' })).expect(409);
    expect(held.body.error).toMatchObject({
      code: 'OnHold',
      hold: { reason: 'crashed elsewhere' },
    });
    expect(await database('releases').where('target_version', '2.0.0')).toEqual([]);
  });

  it('asks who may release holds before a queued release brings a held version', async () => {
    let mayRelease = false;
    await setUp({
      decide: permission =>
        permission === holdReleasePermission.name && !mayRelease
          ? AuthorizeResult.DENY
          : AuthorizeResult.ALLOW,
    });
    await reach(await start({ version: '1.0.0' }), 'Succeeded');
    const first = await start({ version: '2.0.0', strategy: BY_HAND });
    const queued = await start({ version: '2.0.0' });
    await send(`/releases/${first}/rollback`, { reason: 'looks wrong' }).expect(200);
    const waiting = await until(
      () => stateOf(queued),
      release => release.waiting[0]?.code === 'hold',
    );
    expect(waiting.actions.accept).toMatchObject({
      allowed: false,
      params: { permission: holdReleasePermission.name },
    });
    await send(`/releases/${queued}/accept`, {}).expect(403);
    mayRelease = true;
    const { planHash } = (await stateOf(queued)).actions.accept.params;
    const unnamed = await send(`/releases/${queued}/accept`, {}).expect(400);
    expect(unnamed.body.error.code).toBe('PlanNotNamed');
    await send(`/releases/${queued}/accept`, { planHash, reason: 'found the cause' }).expect(200);
    await reach(queued, 'Succeeded');
    const { body } = await request(bench.app).get('/holds').expect(200);
    expect(body.items).toEqual([]);
  });

  it('plans nothing while the list of clusters cannot be trusted (C07)', async () => {
    await setUp();
    bench.fleet.listing = {
      stale: true,
      problem: 'listing-failed',
      message: 'timeout while listing',
    };
    for (const url of [START, `${START}&dryRun=true`]) {
      const { body } = await send(url, documents()).expect(503);
      expect(body.error).toMatchObject({
        code: 'ClusterListFailed',
        message: expect.stringContaining('timeout while listing'),
      });
    }
    bench.fleet.listing = {
      problem: 'suddenly-empty',
      message: '3 of 3 clusters would be emptied',
    };
    const { body } = await send(START, documents()).expect(409);
    expect(body.error.code).toBe('ClusterListSuddenlyEmpty');
    expect(bench.hands.previewed).toEqual([]);
    expect(bench.hands.performed).toEqual([]);
    await request(bench.app).post('/clusters/confirm-empty').expect(204);
    expect(bench.fleet.confirmed).toBe(1);
  });

  it('goes on past a cluster that does not answer at preview, and says so (C40)', async () => {
    await setUp();
    bench.hands.previews.set('cluster-b', { clusterState: 'timeout', changes: [] });
    const preview = await send(`${START}&dryRun=true`, documents()).expect(200);
    expect(preview.body.findings).toMatchObject([
      { severity: 'warning', code: 'NotPreviewed', cluster: 'cluster-b' },
    ]);
    expect(preview.body.diff).toMatchObject([{ targets: [{ cluster: 'cluster-a' }] }]);
  });
});
