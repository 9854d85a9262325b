import http from 'node:http';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import type { SourceReader } from '../commands/sources';
import { migratedDatabase } from '../store/__testUtils__/eachDatabase';
import { createBench, SERVICE, type Bench, type BenchOptions } from './__testUtils__/bench';
import {
  BY_HAND,
  sampleDeployment,
  sampleRelease,
  sampleTemplate,
} from './__testUtils__/documents';
import { until } from './__testUtils__/until';

// A database of its own for each test, and the real router: slow where the machine is busy.
jest.setTimeout(60_000);

const START = `/releases?service=${SERVICE}`;
const DEFINITION = '/services/component/default/checkout/definition';
const SUMMARY = '/services/component/default/checkout/summary';

// What is read is tested on both databases beside the store; here it is how it is answered.
describe('reading over HTTP', () => {
  let bench: Bench;

  async function setUp(options: Omit<BenchOptions, 'database'> = {}) {
    bench = createBench({ database: await migratedDatabase('SQLITE_3'), ...options });
    bench.engine.start();
  }

  afterEach(() => bench.stop());

  const get = (path: string) => request(bench.app).get(path);
  const start = async (options?: Parameters<typeof sampleRelease>[0]) => {
    const { body } = await request(bench.app)
      .post(START)
      .send([sampleRelease(options), sampleTemplate()])
      .expect(201);
    return body.id as string;
  };
  const stateOf = async (id: string) => (await get(`/releases/${id}`).expect(200)).body;

  it('serves its contract', async () => {
    await setUp();
    const { body } = await get('/openapi.json').expect(200);
    expect(Object.keys(body.paths)).toContain('/releases/{id}/{action}');
  });

  it('refuses what is not in its contract, and names every place', async () => {
    await setUp();
    const places = async (asked: request.Test) => {
      const { body } = await asked.expect(400);
      expect(body.error).toMatchObject({ name: 'InputError', code: 'InvalidRequest' });
      return body.error.details.map(({ path }: { path: string }) => path).sort();
    };
    expect(await places(get('/releases?sort=up'))).toEqual(['query.sort']);
    expect(await places(get('/releases?limit=many'))).toEqual(['query.limit']);
    const body = { targets: [{ cluster: 7 }, 'cluster-b'], wrong: true };
    const retry = request(bench.app).post('/releases/r1/retry').send(body);
    expect(await places(retry)).toEqual([
      'body.targets[0].cluster',
      'body.targets[0].namespace',
      'body.targets[1]',
      'body.wrong',
    ]);
    // Of a large one only the first: to find all would take the process seconds.
    const many = { targets: Array.from({ length: 5_000 }, (_, cluster) => ({ cluster })) };
    const large = request(bench.app).post('/releases/r1/retry').send(many);
    expect(await places(large)).toHaveLength(1);
    const text = request(bench.app).post('/releases/r1/retry').set('Content-Type', 'text/plain');
    const { error } = (await text.send('now').expect(415)).body;
    expect(error).toMatchObject({
      code: 'InvalidRequest',
      details: [{ message: expect.stringContaining('text/plain') }],
    });
    await request(bench.app).get('/nowhere').expect(404);
  });

  it('answers 304 to the same viewer while nothing changed', async () => {
    await setUp();
    const id = await start({ strategy: BY_HAND });
    await until(
      () => stateOf(id),
      ({ waiting }) => waiting[0]?.code === 'promote',
    );
    const first = await get(`/releases/${id}`).expect(200);
    const tag = first.headers.etag;
    await get(`/releases/${id}`).set('If-None-Match', tag).expect(304);
    await request(bench.app).post(`/releases/${id}/pause`).send({}).expect(200);
    const changed = await get(`/releases/${id}`).set('If-None-Match', tag).expect(200);
    expect(changed.headers.etag).not.toBe(tag);
  });

  it('waits for the next revision, and no longer than asked', async () => {
    await setUp();
    const id = await start({ strategy: BY_HAND });
    const { revision } = await until(
      () => stateOf(id),
      ({ waiting }) => waiting[0]?.code === 'promote',
    );
    const waiting = get(`/releases/${id}?afterRevision=${revision}&waitSeconds=30`).then(
      ({ body }) => body,
    );
    await request(bench.app).post(`/releases/${id}/pause`).send({}).expect(200);
    expect((await waiting).revision).toBeGreaterThan(revision);
    const { revision: latest } = await until(
      () => stateOf(id),
      ({ state }) => state === 'Paused',
    );
    const { body } = await get(`/releases/${id}?afterRevision=${latest}&waitSeconds=0`).expect(200);
    expect(body.revision).toBe(latest);
  });

  it('streams events from where the reader was, and ends the stream at shutdown', async () => {
    await setUp();
    const id = await start();
    await until(
      () => stateOf(id),
      ({ state }) => state === 'Succeeded',
    );
    const { body } = await get(`/releases/${id}/events`).expect(200);
    const known = body.items[1].id;
    const server = bench.app.listen(0, '127.0.0.1');
    await new Promise(resolve => server.once('listening', resolve));
    const stream = openStream(server, `/releases/${id}/events?after=${known}`);
    const last = body.items.at(-1).id;
    await until(
      async () => stream.text(),
      text => text.includes(`id: ${last}\n`),
    );
    bench.shutdown.abort();
    await stream.ended;
    server.close();
    expect(stream.headers()).toMatchObject({ 'cache-control': 'no-cache, no-transform' });
    const ids = [...stream.text().matchAll(/^id: (\d+)$/gm)].map(([, number]) => Number(number));
    expect(ids).toEqual(body.items.slice(2).map((event: { id: number }) => event.id));
  });

  it('shows stages, steps, targets and plan of a finished release', async () => {
    await setUp();
    const id = await start();
    await until(
      () => stateOf(id),
      ({ state }) => state === 'Succeeded',
    );
    const stages = await get(`/releases/${id}/stages`).expect(200);
    expect(stages.body.items.map(({ state }: { state: string }) => state)).toEqual(
      stages.body.items.map(() => 'done'),
    );
    const steps = await get(`/releases/${id}/steps`).expect(200);
    expect(
      steps.body.items.every(
        ({ passed, total }: { passed: number; total: number }) => passed === total,
      ),
    ).toBe(true);
    const targets = await get(`/releases/${id}/targets?q=cluster-b&limit=1`).expect(200);
    expect(targets.body.items).toMatchObject([
      {
        cluster: 'cluster-b',
        state: 'Done',
        weight: { wanted: 100, observed: 100 },
        labels: { tier: 'prod' },
      },
    ]);
    await get(`/releases/${id}/plan?number=9`).expect(404);
    const audit = await get('/audit').set('Accept', 'text/csv').expect(200);
    expect(audit.text.split('\r\n')[0]).toBe(
      'time,service,release,kind,code,actor,reason,cluster,namespace,stage,message',
    );
    expect(audit.text).toMatch(/\d{4}-\d\d-\d\dT[\d:.]+Z,.*ReleaseCreated/);
  });

  it('shows every cluster with its own state: one bad one costs nobody else, and is never zero (C40)', async () => {
    await setUp({ clusters: ['ok-1', 'gone', 'slow', 'noauth', 'empty'] });
    const clusters = ['ok-1', 'gone', 'slow', 'noauth', 'empty'];
    const id = await start({ clusters });
    await until(
      () => stateOf(id),
      ({ state }) => state === 'Succeeded',
    );
    bench.fleet.states.set('gone', {
      state: 'unreachable',
      nodes: undefined,
      message: 'ENOTFOUND',
    });
    bench.fleet.states.set('slow', { state: 'timeout', nodes: undefined });
    bench.fleet.states.set('noauth', { state: 'unauthorized', nodes: undefined });
    const list = await get('/clusters').expect(200);
    expect(
      Object.fromEntries(
        list.body.items.map(
          ({ name, state, nodes }: { name: string; state: string; nodes?: object }) => [
            name,
            [state, nodes],
          ],
        ),
      ),
    ).toEqual({
      'ok-1': ['ok', { ready: 1, total: 1 }],
      empty: ['ok', { ready: 1, total: 1 }],
      gone: ['unreachable', undefined],
      slow: ['timeout', undefined],
      noauth: ['unauthorized', undefined],
    });
    const { body } = await get(SUMMARY).expect(200);
    expect(body.clustersAnswered).toEqual({ answered: 2, total: 5 });
    const health = Object.fromEntries(
      body.versions.map(
        (version: { cluster: string; health: { state: string }; version: string }) => [
          version.cluster,
          [version.health.state, version.version],
        ],
      ),
    );
    expect(health).toEqual({
      'ok-1': ['Healthy', '1.0.0'],
      empty: ['Healthy', '1.0.0'],
      gone: ['Unknown', '1.0.0'],
      slow: ['Unknown', '1.0.0'],
      noauth: ['Unknown', '1.0.0'],
    });
  });

  it('keeps immutable revisions of documents, and refuses to overwrite what was not seen', async () => {
    await setUp();
    await get(DEFINITION).expect(404);
    const put = (documents: object[], match?: string) => {
      const sent = request(bench.app).put(DEFINITION);
      return (match ? sent.set('If-Match', match) : sent).send(documents);
    };
    const first = await put([sampleTemplate()], '"none"').expect(200);
    await put([sampleTemplate(), sampleRelease()], '"none"').expect(409);
    const second = await put([sampleTemplate(), sampleRelease()], first.headers.etag).expect(200);
    const read = await get(DEFINITION).expect(200);
    expect(read.headers.etag).toBe(`"${second.body.revision}"`);
    expect(read.body.documents).toHaveLength(2);
    const old = await get(`${DEFINITION}?revision=${first.body.revision}`).expect(200);
    expect(old.body.documents).toHaveLength(1);
    const revisions = await get(`${DEFINITION}s`).expect(200);
    expect(revisions.body.items.map(({ revision }: { revision: string }) => revision)).toEqual([
      second.body.revision,
      first.body.revision,
    ]);
    // Only a ClusterRelease is needed from now on.
    await request(bench.app).post(START).send(sampleRelease()).expect(201);
    const versions = await get('/services/component/default/checkout/versions').expect(200);
    expect(versions.body.items).toMatchObject([
      { version: '2.0.0', source: 'list' },
      { version: '1.0.0', source: 'list' },
    ]);
  });

  it('reads documents and manifests from the entity, and says it when it cannot', async () => {
    const template = JSON.stringify({
      apiVersion: 'multicluster-release.io/v1',
      kind: 'ResourceTemplate',
      metadata: { name: 'checkout' },
      spec: { source: { manifests: { location: './k8s' } } },
    });
    let broken = false;
    const asked: string[] = [];
    const sources: SourceReader = {
      readText: async ({ target }) => {
        asked.push(target);
        if (broken) {
          throw new Error('the host does not answer');
        }
        return { text: template, revision: 'abc' };
      },
      readFiles: async ({ target }) => {
        asked.push(target);
        return { files: [{ path: 'deployment.yaml', text: JSON.stringify(sampleDeployment()) }] };
      },
    };
    await setUp({ location: './multicluster-release.yaml', sources });
    await request(bench.app).post(START).send(sampleRelease()).expect(201);
    const folder = 'https://git.example.com/acme/checkout/blob/main/';
    expect(asked).toEqual([`${folder}multicluster-release.yaml`, `${folder}k8s`]);
    const { body } = await get(SUMMARY).expect(200);
    expect(body.definition).toMatchObject({
      location: `url:${folder}multicluster-release.yaml`,
      templates: ['checkout'],
    });

    broken = true;
    const later = createBench({
      database: bench.commands.database,
      location: './multicluster-release.yaml',
      sources,
    });
    const summary = await request(later.app).get(SUMMARY).expect(200);
    expect(summary.body).toMatchObject({
      definition: { templates: ['checkout'] },
      definitionProblem: 'the host does not answer',
    });
    await later.stop();
  });

  it('resolves a placement, with the rule of each cluster that is left out', async () => {
    await setUp();
    const rule = (select: object) => ({
      apiVersion: 'multicluster-release.io/v1',
      kind: 'PlacementRule',
      metadata: { name: 'p' },
      spec: { select, namespace: 'production' },
    });
    const { body } = await request(bench.app)
      .post('/placements/preview')
      .send(rule({ exclude: ['cluster-c'] }))
      .expect(200);
    expect(body.targets.map(({ cluster }: { cluster: string }) => cluster)).toEqual([
      'cluster-a',
      'cluster-b',
    ]);
    expect(body.excluded).toEqual([{ cluster: 'cluster-c', rule: 'is named in select.exclude' }]);
    const none = await request(bench.app)
      .post('/placements/preview')
      .send(rule({ labels: { tier: 'none' } }))
      .expect(200);
    expect(none.body.findings).toMatchObject([{ code: 'NothingSelected', severity: 'error' }]);
  });

  it('says of what it does not have that it is not built yet', async () => {
    await setUp();
    const later = [get('/matrix'), get('/services/component/default/checkout/drift')];
    for (const answer of await Promise.all(later)) {
      expect([answer.status, answer.body.error.code]).toEqual([404, 'NotBuiltYet']);
    }
  });

  it('validates documents without contact to any cluster', async () => {
    await setUp();
    const { body } = await request(bench.app)
      .post('/validate')
      .send([sampleRelease(), sampleTemplate()])
      .expect(200);
    expect(body).toEqual({
      valid: true,
      documents: [
        { kind: 'ClusterRelease', name: 'checkout' },
        { kind: 'ResourceTemplate', name: 'checkout' },
      ],
      notBuiltYet: [],
    });
    await request(bench.app).post('/validate').send({ kind: 'ClusterRelease' }).expect(400);
    const schema = await get('/schemas/ClusterRelease.json').expect(200);
    expect(schema.body.title).toBe('ClusterRelease');
    await get('/schemas/Other.json').expect(404);
  });

  it('takes bodies larger than the framework would, and names its own limit', async () => {
    await setUp();
    const large = [
      sampleRelease(),
      sampleTemplate([
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'big' },
          data: { text: 'x'.repeat(200_000) },
        },
      ]),
    ];
    const answer = await request(bench.app).post(`${START}&dryRun=true`).send(large);
    expect([answer.status, answer.body.error]).toEqual([200, undefined]);
    const tooLarge = [
      sampleTemplate([
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'big' },
          data: { text: 'x'.repeat(3_000_000) },
        },
      ]),
    ];
    const { body } = await request(bench.app).post('/validate').send(tooLarge).expect(413);
    expect(body.error).toMatchObject({ code: 'TooLarge', message: expect.stringContaining('2mb') });
  });

  it('says of a body that is no JSON that it is none, without quoting it', async () => {
    await setUp();
    const { body } = await request(bench.app)
      .post('/validate')
      .type('application/json')
      .send('{"kind": "Secret-of-mine"')
      .expect(400);
    expect(body.error).toMatchObject({ code: 'InvalidRequest', details: [{ path: 'body' }] });
    expect(JSON.stringify(body)).not.toContain('Secret-of-mine');
  });
});

function openStream(server: http.Server, path: string) {
  const { port } = server.address() as AddressInfo;
  let text = '';
  let headers: http.IncomingHttpHeaders = {};
  const ended = new Promise<void>((resolve, reject) => {
    const options = { port, host: '127.0.0.1', path, headers: { Accept: 'text/event-stream' } };
    http
      .get(options, response => {
        headers = response.headers;
        response.on('data', chunk => {
          text += chunk;
        });
        response.on('end', resolve);
      })
      .on('error', reject);
  });
  return { text: () => text, headers: () => headers, ended };
}
