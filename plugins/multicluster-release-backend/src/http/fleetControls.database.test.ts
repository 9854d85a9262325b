import { AuthorizeResult } from '@backstage/plugin-permission-common';
import request from 'supertest';
import { tellReleases } from '../commands/fleet/tellReleases';
import { listEvents } from '../store';
import { migratedDatabase } from '../store/__testUtils__/eachDatabase';
import { createBench, SERVICE, type Bench, type BenchOptions } from './__testUtils__/bench';
import { BY_HAND, sampleRelease, sampleTemplate } from './__testUtils__/documents';
import { until } from './__testUtils__/until';

// A database of its own for each test, and the real router: slow where the machine is busy.
jest.setTimeout(60_000);

const HOUR = 3_600_000;
const WHY = 'the network is on fire';
const OVER = 'the fire is out again';
const ME = 'user:default/mock';

const OFFICE = {
  name: 'office hours',
  cron: '0 9 * * 1-5',
  duration: '8h',
  timeZone: 'Asia/Shanghai',
  kind: 'allow',
  reason: 'somebody has to be there',
};

const FLEET = [
  { name: 'cluster-a', labels: {}, region: 'cn-east-1', groups: ['payments'] },
  { name: 'cluster-b', labels: {}, region: 'eu-west-1' },
  { name: 'cluster-c', labels: {}, region: 'eu-west-1' },
].map(cluster => ({ ...cluster, source: 'configuration' as const }));

// What is stored is tested on both databases beside the store; here it is how it is ordered and told.
describe('fleet controls over HTTP', () => {
  let bench: Bench;

  async function setUp(options: Omit<BenchOptions, 'database'> = {}) {
    bench = createBench({ database: await migratedDatabase('SQLITE_3'), ...options });
    bench.fleet.listing = { clusters: FLEET };
    bench.engine.start();
  }

  afterEach(() => bench.stop());

  const get = (path: string) => request(bench.app).get(path);
  const post = (path: string, body: object) => request(bench.app).post(path).send(body);
  const lift = (path: string, reason: string) =>
    request(bench.app).delete(`${path}?reason=${encodeURIComponent(reason)}`);

  /** A release on cluster-a and cluster-b that waits for a person. */
  async function runningRelease(): Promise<string> {
    const { body } = await post(`/releases?service=${SERVICE}`, [
      sampleRelease({ strategy: BY_HAND }),
      sampleTemplate(),
    ]).expect(201);
    await until(
      async () => (await get(`/releases/${body.id}`).expect(200)).body,
      ({ waiting }) => waiting[0]?.code === 'promote',
    );
    return body.id;
  }

  async function eventsOf(id: string, codes: string[]) {
    const { body } = await get(`/releases/${id}/events`).expect(200);
    return body.items.filter(({ code }: { code: string }) => codes.includes(code));
  }

  it('previews, orders and lifts an emergency stop, and tells the releases that it reaches', async () => {
    await setUp();
    const id = await runningRelease();
    const scope = { regions: ['cn-east-1'] };
    const reach = { services: 1, clusters: 1, releases: 1 };
    const preview = await post('/stops/preview', { scope }).expect(200);
    expect(preview.body).toEqual({ scope, reach });
    expect((await get('/stops').expect(200)).body).toEqual({ items: [] });

    const { body: stop } = await post('/stops', { scope, reason: WHY }).expect(201);
    expect(stop).toMatchObject({ scope, reason: WHY, by: ME, allowRollback: false, reach });
    const again = await post('/stops', { scope, reason: 'pressed twice in a hurry' }).expect(200);
    expect(again.body).toEqual(stop);
    expect((await get('/stops').expect(200)).body.items).toEqual([stop]);
    expect(bench.changes.some(({ releaseId }) => releaseId === id)).toBe(true);

    await lift(`/stops/${stop.id}`, OVER).expect(204);
    await lift(`/stops/${stop.id}`, OVER).expect(204);
    expect((await get('/stops').expect(200)).body.items).toEqual([]);
    const { body: all } = await get('/stops?ended=true').expect(200);
    expect(all.items).toMatchObject([{ id: stop.id, lifted: { by: ME, reason: OVER } }]);
    expect(await eventsOf(id, ['StopOrdered', 'StopLifted'])).toMatchObject([
      {
        code: 'StopOrdered',
        actor: ME,
        reason: WHY,
        params: { stop: stop.id, scope: 'regions', names: 'cn-east-1', allowRollback: 'false' },
      },
      { code: 'StopLifted', actor: ME, reason: OVER },
    ]);
    expect(bench.audit.map(({ eventId, ended }) => [eventId, ended])).toEqual([
      ['release-start', 'success'],
      ['stop-order', 'success'],
      ['stop-order', 'success'],
      ['stop-lift', 'success'],
      ['stop-lift', 'success'],
    ]);
  });

  it.each([
    ['an emergency stop', 'stopall', orderStop],
    ['a window', 'freeze', orderFreeze],
    ['a cordon', 'cordoned', orderCordon],
  ])(
    'lets nothing be started by %s until it ends, and then goes on at once',
    async (_name, code, order) => {
      await setUp();
      const id = await runningRelease();
      const end = await order();
      await post(`/releases/${id}/promote`, {}).expect(200);
      const look = async () => (await get(`/releases/${id}`).expect(200)).body;
      await until(look, ({ waiting }) => waiting[0]?.code === code);
      expect(bench.hands.writtenClusters()).toEqual(['cluster-a']);
      await end();
      await until(look, ({ state }) => state === 'Succeeded');
      expect(bench.hands.writtenClusters()).toEqual(['cluster-a', 'cluster-b']);
    },
  );

  it('keeps orders over a restart of the backend', async () => {
    await setUp();
    const id = await runningRelease();
    await orderStop();
    const { body: before } = await get('/stops').expect(200);
    await bench.stop();
    bench = createBench({ database: bench.commands.database });
    bench.engine.start();
    expect((await get('/stops').expect(200)).body.items).toEqual(before.items);
    await post(`/releases/${id}/promote`, {}).expect(200);
    await until(
      async () => (await get(`/releases/${id}`).expect(200)).body,
      ({ waiting }) => waiting[0]?.code === 'stopall',
    );
    expect(bench.hands.performed).toEqual([]);
  });

  it('tells the other releases of an order that one of them cannot be told of', async () => {
    await setUp();
    const first = await runningRelease();
    const { body: second } = await post(`/releases?service=${SERVICE}`, [
      sampleRelease({ strategy: BY_HAND }),
      sampleTemplate(),
    ]).expect(201);
    const failed: string[] = [];
    let left = 0;
    const tell = () =>
      tellReleases(
        { ...bench.commands, onTellFailed: releaseId => failed.push(releaseId) },
        [first, second.id],
        run => {
          if (run.id === first && left > 0) {
            left -= 1;
            throw new Error('the row is locked');
          }
          return [{ kind: 'release', code: 'StopOrdered', params: {}, message: 'stop', actor: ME }];
        },
      );
    const told = async () =>
      Promise.all(
        [first, second.id].map(async id => {
          const events = await listEvents(bench.commands.database, { releaseId: id, limit: 1000 });
          return events.filter(({ code }) => code === 'StopOrdered').length;
        }),
      );
    left = 2;
    await tell();
    expect(await told()).toEqual([0, 1]);
    expect(failed).toEqual([first]);
    left = 1;
    await tell();
    expect(await told()).toEqual([1, 2]);
    expect(failed).toHaveLength(1);
  });

  async function orderStop() {
    const { body } = await post('/stops', { scope: { all: true }, reason: WHY }).expect(201);
    return async () => {
      await lift(`/stops/${body.id}`, OVER).expect(204);
    };
  }

  async function orderFreeze() {
    const always = { ...OFFICE, kind: 'deny', cron: '* * * * *', duration: '1h' };
    const { body } = await post('/windows', always).expect(201);
    return async () => {
      await lift(`/windows/${body.id}`, OVER).expect(204);
    };
  }

  async function orderCordon() {
    const patch = (cordoned: boolean) =>
      request(bench.app).patch('/clusters/cluster-b').send({ cordoned, reason: WHY }).expect(200);
    await patch(true);
    return async () => {
      await patch(false);
    };
  }

  it('tells nothing to a release that a stop does not reach', async () => {
    await setUp();
    const id = await runningRelease();
    const { body } = await post('/stops', {
      scope: { clusters: ['cluster-c', 'cluster-c'] },
      reason: WHY,
      allowRollback: true,
    }).expect(201);
    expect(body).toMatchObject({
      scope: { clusters: ['cluster-c'] },
      allowRollback: true,
      reach: { services: 0, clusters: 1, releases: 0 },
    });
    expect(await eventsOf(id, ['StopOrdered'])).toEqual([]);
  });

  it.each([
    ['all', { all: true }, { services: 1, clusters: 3, releases: 1 }],
    ['a group', { groups: ['payments'] }, { services: 1, clusters: 1, releases: 1 }],
    ['another region', { regions: ['eu-west-1'] }, { services: 1, clusters: 2, releases: 1 }],
    ['the service', { services: ['checkout'] }, { services: 1, clusters: 2, releases: 1 }],
  ])('counts what a stop of %s would reach', async (_name, scope, reach) => {
    await setUp();
    await runningRelease();
    expect((await post('/stops/preview', { scope }).expect(200)).body.reach).toEqual(reach);
  });

  it('stops what the list of clusters no longer has, and while the list cannot be read', async () => {
    await setUp();
    await runningRelease();
    bench.fleet.listing = { clusters: FLEET.slice(1), stale: true, problem: 'listing-failed' };
    const { body } = await post('/stops', {
      scope: { clusters: ['cluster-a'] },
      reason: WHY,
    }).expect(201);
    expect(body.reach).toEqual({ services: 1, clusters: 1, releases: 1 });
  });

  it.each([
    [
      'a cluster and a reason',
      '/stops',
      { scope: { clusters: ['cluster-a', 'cluster-aa'] }, reason: 'short' },
      [
        ['scope.clusters[1]', 'UnknownCluster', 'Did you mean cluster-a?'],
        ['reason', 'InvalidReason', 'has 5 characters'],
      ],
    ],
    [
      'a region',
      '/stops',
      { scope: { regions: ['cn-east-2'] }, reason: WHY },
      [['scope.regions[0]', 'UnknownRegion', 'Did you mean cn-east-1?']],
    ],
    [
      'a group',
      '/stops',
      { scope: { groups: ['core'] }, reason: WHY },
      [['scope.groups[0]', 'UnknownGroup', 'Known: payments.']],
    ],
    [
      'services',
      '/stops/preview',
      { scope: { services: ['component:default/chekout', 'a b'] } },
      [
        ['scope.services[0]', 'UnknownService', 'Did you mean component:default/checkout?'],
        ['scope.services[1]', 'UnknownService', 'not known'],
      ],
    ],
    [
      'two kinds and a blank reason',
      '/stops',
      { scope: { all: true, regions: ['cn-east-1'] }, reason: '           ' },
      [
        ['scope', 'InvalidScope', 'names 2 kinds'],
        ['reason', 'InvalidReason', 'has 0 characters'],
      ],
    ],
    ['no kind', '/stops', { scope: {}, reason: WHY }, [['scope', 'InvalidScope', 'names 0 kinds']]],
    [
      'an empty list',
      '/stops',
      { scope: { clusters: [] }, reason: WHY },
      [['scope.clusters', 'InvalidScope', 'empty']],
    ],
    [
      'a window',
      '/windows',
      {
        ...OFFICE,
        name: ' ',
        cron: '* 7-24 * * 0-6',
        duration: '8 hours',
        timeZone: 'Europe/Amsterdamm',
        services: ['chekout'],
        reason: 'why',
      },
      [
        ['name', 'InvalidWindow', 'has 0 characters'],
        ['cron', 'InvalidWindow', 'hour 24 does not exist'],
        ['duration', 'InvalidWindow', '"8 hours"'],
        ['timeZone', 'InvalidWindow', '"Europe/Amsterdamm" is not known'],
        ['reason', 'InvalidReason', 'has 3 characters'],
        ['services[0]', 'UnknownService', 'Did you mean component:default/checkout?'],
      ],
    ],
    [
      'a window of no service',
      '/windows',
      { ...OFFICE, services: [] },
      [['services', 'InvalidWindow', 'leave it out']],
    ],
  ])('refuses every fault at once: %s', async (_name, path, body, faults) => {
    await setUp();
    await runningRelease();
    const answer = await post(path, body).expect(400);
    expect(answer.body.error.details).toEqual(
      faults.map(([place, code, part]) =>
        expect.objectContaining({ path: place, code, message: expect.stringContaining(part) }),
      ),
    );
    expect((await get('/stops').expect(200)).body.items).toEqual([]);
    expect((await get('/windows').expect(200)).body.items).toEqual([]);
  });

  it('adds, lists and removes windows', async () => {
    await setUp();
    const id = await runningRelease();
    const { body: window } = await post('/windows', { ...OFFICE, services: ['checkout'] }).expect(
      201,
    );
    expect(window).toMatchObject({
      name: 'office hours',
      durationMilliseconds: 8 * HOUR,
      timeZone: 'Asia/Shanghai',
      services: [SERVICE],
      by: ME,
      next: { from: expect.any(Number), to: expect.any(Number) },
    });
    const again = await post('/windows', { ...OFFICE, services: [SERVICE] }).expect(200);
    expect(again.body.id).toBe(window.id);
    const other = await post('/windows', { ...OFFICE, kind: 'deny' }).expect(409);
    expect(other.body.error.message).toContain('take another name');
    expect((await get('/windows').expect(200)).body.items).toMatchObject([{ id: window.id }]);

    await lift(`/windows/${window.id}`, 'why').expect(400);
    await lift(`/windows/${window.id}`, OVER).expect(204);
    await lift(`/windows/${window.id}`, OVER).expect(204);
    expect((await get('/windows').expect(200)).body.items).toEqual([]);
    const { body: all } = await get('/windows?ended=true').expect(200);
    expect(all.items).toMatchObject([{ id: window.id, removed: { by: ME, reason: OVER } }]);
    expect(await eventsOf(id, ['WindowAdded', 'WindowRemoved'])).toMatchObject([
      { params: { name: 'office hours', kind: 'allow', minutes: 480 }, reason: OFFICE.reason },
      { code: 'WindowRemoved', reason: OVER },
    ]);
  });

  it('says when windows are on, for all and for one service, and which cannot be read (C47)', async () => {
    await setUp();
    await post('/windows', OFFICE).expect(201);
    await post('/windows', {
      ...{ name: 'freeze', kind: 'deny', cron: '0 0 1 12 *', duration: '24h', reason: WHY },
      services: [SERVICE],
    }).expect(201);
    await bench.commands.database('windows').insert({
      ...{ id: 'bad', name: 'bad', cron: '* 7-24 * * 0-6', duration: HOUR, time_zone: 'UTC' },
      ...{ kind: 'allow', reason: 'from before it was checked', created_by: ME, created_at: 1 },
    });
    const day = Date.parse('2026-12-01T00:00:00Z');
    const range = `from=${day}&to=${day + 24 * HOUR}`;
    const { body } = await get(`/windows/occurrences?${range}&service=${SERVICE}`).expect(200);
    expect(body).toMatchObject({
      items: [
        { name: 'freeze', kind: 'deny', from: day, to: day + 24 * HOUR },
        { name: 'office hours', kind: 'allow', from: day + HOUR, to: day + 9 * HOUR },
      ],
      invalid: [{ windowId: 'bad', message: expect.stringContaining('hour 24') }],
      complete: true,
    });
    const other = await get(`/windows/occurrences?${range}&service=other`).expect(200);
    expect(other.body.items.map(({ name }: { name: string }) => name)).toEqual(['office hours']);
    const { body: list } = await get('/windows').expect(200);
    const invalid = list.items.map((window: { invalid?: string }) => window.invalid !== undefined);
    expect(invalid).toEqual([false, false, true]);
    await get(`/windows/occurrences?from=${day}&to=${day}`).expect(400);
    await get(`/windows/occurrences?from=0&to=${day}`).expect(400);
  });

  it('takes a cluster out and lets it come back', async () => {
    await setUp();
    const id = await runningRelease();
    const patch = (name: string, body: object) =>
      request(bench.app).patch(`/clusters/${name}`).send(body);
    const { body } = await patch('cluster-a', { cordoned: true, reason: WHY }).expect(200);
    expect(body).toMatchObject({ name: 'cluster-a', cordoned: { by: ME, reason: WHY } });
    await patch('cluster-a', { cordoned: true, reason: 'another reason' }).expect(200);
    const { body: list } = await get('/clusters').expect(200);
    expect(
      list.items.map((cluster: { cordoned?: { reason: string }; groups?: string[] }) => [
        cluster.cordoned?.reason,
        cluster.groups,
      ]),
    ).toEqual([
      [WHY, ['payments']],
      [undefined, undefined],
      [undefined, undefined],
    ]);
    const back = await patch('cluster-a', { cordoned: false, reason: OVER }).expect(200);
    expect(back.body.cordoned).toBeUndefined();
    expect(await eventsOf(id, ['ClusterCordoned', 'ClusterUncordoned'])).toMatchObject([
      { code: 'ClusterCordoned', cluster: 'cluster-a', namespace: 'production', reason: WHY },
      { code: 'ClusterUncordoned', cluster: 'cluster-a', actor: ME, reason: OVER },
    ]);
    await patch('cluster-a', { cordoned: true, reason: 'short' }).expect(400);
    const unknown = await patch('cluster-aa', { cordoned: true, reason: WHY }).expect(404);
    expect(unknown.body.error.message).toContain('Did you mean cluster-a?');
  });

  it('refuses orders without their permission, and shows them to whoever may see the fleet', async () => {
    const asked: string[] = [];
    await setUp({
      decide: permission => {
        asked.push(permission);
        return permission.endsWith('.read') ? AuthorizeResult.ALLOW : AuthorizeResult.DENY;
      },
    });
    const refused = [
      await post('/stops', { scope: { all: true }, reason: WHY }),
      await lift('/stops/x', OVER),
      await post('/windows', OFFICE),
      await lift('/windows/x', OVER),
      await request(bench.app).patch('/clusters/cluster-a').send({ cordoned: true, reason: WHY }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    expect(asked).toEqual([
      'multicluster-release.stop.write',
      'multicluster-release.stop.write',
      'multicluster-release.window.write',
      'multicluster-release.window.write',
      'multicluster-release.cluster.write',
    ]);
    expect(bench.audit).toEqual([]);
    await post('/stops/preview', { scope: { all: true } }).expect(200);
  });

  it('says of stops and windows that are not there that they are not', async () => {
    await setUp();
    const answers = [await lift('/stops/none', OVER), await lift('/windows/none', OVER)];
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  });

  it('lists who did what, when and why, in services and in the fleet', async () => {
    let mayFleet = true;
    await setUp({
      decide: permission =>
        permission !== 'multicluster-release.fleet.read' || mayFleet
          ? AuthorizeResult.ALLOW
          : AuthorizeResult.DENY,
    });
    await runningRelease();
    await post('/stops', { scope: { clusters: ['cluster-c'] }, reason: WHY }).expect(201);
    await request(bench.app)
      .patch('/clusters/cluster-c')
      .send({ cordoned: true, reason: WHY })
      .expect(200);
    const audit = async (query: string) => (await get(`/audit?${query}`).expect(200)).body;
    expect((await audit('limit=2')).items).toMatchObject([
      { code: 'ClusterCordoned', kind: 'fleet', cluster: 'cluster-c', actor: ME, reason: WHY },
      { code: 'StopOrdered', kind: 'fleet', actor: ME, reason: WHY },
    ]);
    expect((await audit('action=StopOrdered')).items).toHaveLength(1);
    expect((await audit('cluster=cluster-c')).items).toHaveLength(1);
    const { items: mine } = await audit(`actor=${ME}&service=${SERVICE}`);
    expect(mine).toMatchObject([{ code: 'ReleaseCreated', service: SERVICE }]);
    const { items } = await audit('limit=500');
    const [{ at }] = items;
    expect((await audit(`from=${at + 1}`)).items).toEqual([]);
    expect((await audit(`to=${at + 1}&limit=500`)).items).toEqual(items);
    const csv = await get('/audit?limit=2').set('Accept', 'text/csv').expect(200);
    expect(csv.text.split('\r\n')).toHaveLength(4);
    const next = await get(`/audit?limit=2&cursor=${csv.headers['x-next-cursor']}`)
      .set('Accept', 'text/csv')
      .expect(200);
    expect(next.text).toContain(`,${SERVICE},`);

    mayFleet = false;
    const kinds = (await audit('limit=500')).items.map(({ kind }: { kind: string }) => kind);
    expect(kinds).not.toContain('fleet');
    expect(kinds).toHaveLength(items.length - 2);
  });
});
