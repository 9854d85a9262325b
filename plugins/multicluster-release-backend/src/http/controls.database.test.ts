import { AuthorizeResult } from '@backstage/plugin-permission-common';
import { mockCredentials, mockServices } from '@backstage/backend-test-utils';
import {
  fleetWritePermission,
  releaseApprovePermission,
  releasePromotePermission,
} from 'backstage-plugin-multicluster-release-common';
import request from 'supertest';
import { describeOnEachDatabase } from '../store/__testUtils__/eachDatabase';
import { createBench, SERVICE, type Bench, type BenchOptions } from './__testUtils__/bench';
import { sampleRelease, sampleTemplate, type ReleaseOptions } from './__testUtils__/documents';
import { until } from './__testUtils__/until';

// A database of its own for each test, and the real router: slow where the machine is busy.
jest.setTimeout(60_000);

const START = `/releases?service=${SERVICE}`;
const SRE = 'group:default/sre';

/** cluster-a first, and then people are asked. */
const ASKING = {
  type: 'Canary',
  canary: {
    steps: [
      { clusters: ['cluster-a'], approval: { required: 1, from: [SRE], selfApproval: true } },
    ],
  },
};

describeOnEachDatabase('controls over HTTP', open => {
  let bench: Bench;

  async function setUp(options: Omit<BenchOptions, 'database'> = {}) {
    bench = createBench({ database: await open(), ...options });
    bench.engine.start();
  }

  afterEach(() => bench.stop());

  const send = (url: string, body: object) => request(bench.app).post(url).send(body);

  async function start(options?: ReleaseOptions): Promise<string> {
    const answer = await send(START, [sampleRelease(options), sampleTemplate()]);
    expect([answer.status, answer.body]).toEqual([201, { id: expect.any(String) }]);
    return answer.body.id;
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

  const waitsFor = (id: string, code: string) =>
    until(
      () => stateOf(id),
      release => release.waiting.some((each: { code: string }) => each.code === code),
    );

  const memberOf = (...groups: string[]) =>
    mockServices.userInfo({ ownershipEntityRefs: ['user:default/mock', ...groups] });

  it('asks the group that the release names, lists the question, and goes on with its answer', async () => {
    await setUp({ userInfo: memberOf(SRE) });
    const id = await start({ version: '1.0.0', strategy: ASKING });
    const asked = await waitsFor(id, 'approval');
    expect(asked.actions.approve).toMatchObject({ allowed: true, params: { gate: '0.4' } });
    const { body: waiting } = await request(bench.app).get('/releases?state=Waiting').expect(200);
    expect(waiting.items.map((each: { id: string }) => each.id)).toEqual([id]);

    const { body: asks } = await request(bench.app).get('/approvals?mine=true').expect(200);
    expect(asks.items).toMatchObject([
      { releaseId: id, service: SERVICE, from: [SRE], required: 1, votes: [], mine: true },
    ]);
    const { planHash } = asks.items[0];

    await send(`/releases/${id}/approve`, {}).expect(409);
    await send(`/releases/${id}/approve`, { planHash, gate: '0.4', expectedStage: 0 }).expect(200);
    await reach(id, 'Succeeded');
    const { body: stages } = await request(bench.app).get(`/releases/${id}/stages`).expect(200);
    expect(stages.items[0].approvals).toMatchObject([
      { passedAt: expect.any(Number), votes: [{ by: 'user:default/mock' }] },
    ]);
    const { body: left } = await request(bench.app).get('/approvals').expect(200);
    expect(left.items).toEqual([]);
  });

  it('tells others that they are not asked, and needs a reason for a no', async () => {
    await setUp({ userInfo: memberOf('group:default/shop') });
    const id = await start({ version: '1.0.0', strategy: ASKING });
    const asked = await waitsFor(id, 'approval');
    expect(asked.actions).toMatchObject({
      approve: { allowed: false, reasonCode: 'NotAsked' },
      reject: { allowed: false, reasonCode: 'NotAsked' },
    });
    const { planHash } = (await request(bench.app).get('/approvals')).body.items[0];
    await send(`/releases/${id}/approve`, { planHash }).expect(409);
    const short = await send(`/releases/${id}/reject`, { reason: 'no' }).expect(400);
    expect(short.body.error.message).toContain('at least 10 characters');
    expect((await request(bench.app).get('/approvals?mine=true')).body.items).toEqual([]);
  });

  it('lets whoever may promote answer where nobody is named, and nobody else', async () => {
    let denied = releasePromotePermission.name;
    await setUp({
      decide: permission => (permission === denied ? AuthorizeResult.DENY : AuthorizeResult.ALLOW),
    });
    const anybody = { clusters: ['cluster-a'], approval: { selfApproval: true } };
    const id = await start({
      version: '1.0.0',
      strategy: { type: 'Canary', canary: { steps: [anybody] } },
    });
    expect((await waitsFor(id, 'approval')).actions.approve).toMatchObject({
      allowed: false,
      params: { permission: denied },
    });
    const { planHash } = (await request(bench.app).get('/approvals')).body.items[0];
    await send(`/releases/${id}/approve`, { planHash }).expect(403);
    denied = releaseApprovePermission.name;
    await send(`/releases/${id}/approve`, { planHash }).expect(403);
    denied = '';
    await send(`/releases/${id}/approve`, { planHash }).expect(200);
    await reach(id, 'Succeeded');
  });

  it('lets an approval go for whoever may give it, and for the platform', async () => {
    const denied = new Set<string>([fleetWritePermission.name]);
    const decide = (name: string) =>
      denied.has(name) ? AuthorizeResult.DENY : AuthorizeResult.ALLOW;
    await setUp({ userInfo: memberOf('group:default/shop'), decide });
    const id = await start({ version: '1.0.0', strategy: ASKING });
    expect((await waitsFor(id, 'approval')).actions['skip-gate']).toMatchObject({
      allowed: false,
      reasonCode: 'NotAsked',
      message: expect.stringContaining('ask the platform'),
    });
    const why = { reason: 'nobody is awake' };
    await send(`/releases/${id}/skip-gate`, why).expect(409);
    denied.add(releaseApprovePermission.name);
    await send(`/releases/${id}/skip-gate`, why).expect(403);
    expect((await stateOf(id)).actions['skip-gate']).toMatchObject({
      params: { permission: releaseApprovePermission.name },
    });
    denied.delete(fleetWritePermission.name);
    await send(`/releases/${id}/skip-gate`, why).expect(200);
    await reach(id, 'Succeeded');
  });

  it('takes no approval from a service that is not named', async () => {
    await setUp();
    const anybody = { clusters: ['cluster-a'], approval: { selfApproval: true } };
    const id = await start({
      version: '1.0.0',
      strategy: { type: 'Canary', canary: { steps: [anybody] } },
    });
    await waitsFor(id, 'approval');
    const { planHash } = (await request(bench.app).get('/approvals')).body.items[0];
    const token = mockCredentials.service.header();
    const asService = request(bench.app)
      .post(`/releases/${id}/approve`)
      .set('Authorization', token);
    const { body } = await asService.send({ planHash }).expect(409);
    expect(body.error.message).toContain('Only people can answer');
    await send(`/releases/${id}/approve`, { planHash }).expect(200);
  });

  it('lists as mine only what the release offers', async () => {
    const denied = new Set<string>();
    const decide = (name: string) =>
      denied.has(name) ? AuthorizeResult.DENY : AuthorizeResult.ALLOW;
    await setUp({ userInfo: memberOf(SRE), decide });
    const id = await start({ version: '1.0.0', strategy: ASKING });
    await waitsFor(id, 'approval');
    const mine = async () =>
      (await request(bench.app).get('/approvals?mine=true').expect(200)).body.items.length;
    expect(await mine()).toBe(1);
    denied.add(releaseApprovePermission.name);
    expect(await mine()).toBe(0);
    denied.clear();
    // It goes back, and yet stays under way: nothing may be written.
    await send('/stops', { scope: { all: true }, reason: 'the network burns' }).expect(201);
    await send(`/releases/${id}/rollback`, { reason: 'away with it' }).expect(200);
    expect(await mine()).toBe(0);
  });

  it('rejects with a reason, and the clusters go back', async () => {
    await setUp({ userInfo: memberOf(SRE) });
    await reach(await start({ version: '1.0.0' }), 'Succeeded');
    const id = await start({ version: '2.0.0', strategy: ASKING });
    await waitsFor(id, 'approval');
    await send(`/releases/${id}/reject`, { reason: 'error budget is spent' }).expect(200);
    await reach(id, 'RolledBack');
    const { body } = await request(bench.app).get('/holds').expect(200);
    expect(body.items).toMatchObject([
      { version: '2.0.0', reason: expect.stringContaining('error budget is spent') },
    ]);
  });

  it('stops the fleet at once, rollbacks included, until the stop is lifted', async () => {
    await setUp({ userInfo: memberOf(SRE) });
    await reach(await start({ version: '1.0.0' }), 'Succeeded');
    const id = await start({ version: '2.0.0', strategy: ASKING });
    await waitsFor(id, 'approval');
    const stop = { scope: { all: true }, reason: 'the network burns' };
    const { body: placed } = await send('/stops', stop).expect(201);
    await waitsFor(id, 'stopall');
    await send(`/releases/${id}/rollback`, { reason: 'away with it' }).expect(200);
    expect((await reach(id, 'RollingBack')).waiting[0]).toMatchObject({ code: 'stopall' });
    const written = bench.hands.writtenClusters().length;
    await request(bench.app)
      .delete(`/stops/${placed.id}`)
      .query({ reason: 'the network is back' })
      .expect(204);
    await reach(id, 'RolledBack');
    expect(bench.hands.writtenClusters().length).toBe(written + 1);
  });

  it('does not start on a cluster that was taken out, until somebody skips it', async () => {
    await setUp();
    const cordon = { cordoned: true, reason: 'a new switch comes' };
    await request(bench.app).patch('/clusters/cluster-b').send(cordon).expect(200);
    const id = await start({ version: '1.0.0' });
    await waitsFor(id, 'cordoned');
    await send(`/releases/${id}/skip-cluster`, {}).expect(409);
    await send(`/releases/${id}/skip-cluster`, {
      targets: [{ cluster: 'cluster-b', namespace: 'production' }],
    }).expect(200);
    await reach(id, 'Succeeded');
    expect(bench.hands.writtenClusters()).toEqual(['cluster-a']);
  });

  it('rolls a release under way back to a version of choice', async () => {
    await setUp();
    await reach(await start({ version: '1.0.0' }), 'Succeeded');
    await reach(await start({ version: '1.5.0' }), 'Succeeded');
    const id = await start({
      version: '2.0.0',
      strategy: { type: 'Canary', canary: { steps: [{ clusters: ['cluster-a'], pause: {} }] } },
    });
    await waitsFor(id, 'promote');
    await send(`/releases/${id}/rollback`, { toVersion: '9.9.9' }).expect(409);
    await send(`/releases/${id}/rollback`, { toVersion: '1.0.0' }).expect(200);
    await reach(id, 'RolledBack');
    const { body } = await request(bench.app).get(`/versions?service=${SERVICE}`).expect(200);
    expect(body.items).toMatchObject([
      { cluster: 'cluster-a', version: '1.0.0' },
      { cluster: 'cluster-b', version: '1.5.0' },
    ]);
  });
});
