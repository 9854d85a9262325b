import { MulticlusterReleaseClient } from './MulticlusterReleaseClient';
import { describeProblem } from './describeProblem';

const BASE = 'http://backend/api/multicluster-release';
const SERVICE = 'component:default/checkout';

interface Asked {
  url: string;
  method: string;
  headers: Headers;
  body?: string;
}

/** A server that gives prepared answers, in order, and writes down what it was asked. */
function setUp(...answers: Response[]) {
  const asked: Asked[] = [];
  const client = new MulticlusterReleaseClient({
    discoveryApi: { getBaseUrl: async pluginId => `http://backend/api/${pluginId}` },
    fetchApi: {
      fetch: async (input, init = {}) => {
        const { method = 'GET', headers, body } = init;
        asked.push({
          url: String(input),
          method,
          headers: new Headers(headers),
          body: typeof body === 'string' ? body : undefined,
        });
        return answers.shift() ?? new Response(undefined, { status: 500 });
      },
    },
    clock: () => 1_000_000,
  });
  return { client, asked };
}

function json(body: unknown, init: ResponseInit = {}): Response {
  return new Response(JSON.stringify(body), {
    ...init,
    headers: { 'Content-Type': 'application/json', ...init.headers },
  });
}

describe('MulticlusterReleaseClient', () => {
  it('asks with the ETag it knows and gives back the very same answer on 304', async () => {
    const { client, asked } = setUp(
      json({ service: SERVICE }, { headers: { ETag: 'W/"1"' } }),
      new Response(undefined, { status: 304 }),
    );
    const first = await client.getSummary(SERVICE);
    const second = await client.getSummary(SERVICE);
    expect(second).toBe(first);
    expect(asked.map(({ url }) => url)).toEqual(
      Array(2).fill(`${BASE}/services/component/default/checkout/summary`),
    );
    expect(asked[0].headers.get('If-None-Match')).toBeNull();
    expect(asked[1].headers.get('If-None-Match')).toBe('W/"1"');
  });

  it('reads all pages of targets', async () => {
    const { client, asked } = setUp(
      json({ items: [{ cluster: 'a' }], nextCursor: '1' }),
      json({ items: [{ cluster: 'b' }] }),
    );
    await expect(client.listTargets('r-1')).resolves.toEqual([{ cluster: 'a' }, { cluster: 'b' }]);
    expect(asked[1].url).toBe(`${BASE}/releases/r-1/targets?limit=500&cursor=1`);
  });

  it.each([
    [{}, ''],
    [{ gate: '0.4', limit: 500 }, '?gate=0.4&limit=500'],
    [{ gate: '0.4', before: 17, limit: 500 }, '?gate=0.4&before=17&limit=500'],
  ])('reads measurements with %j', async (query, asks) => {
    const items = [{ id: 16, metric: 'error_rate' }];
    const { client, asked } = setUp(json({ items }));
    await expect(client.listMeasurements('r-1', query)).resolves.toEqual(items);
    expect(asked).toMatchObject([
      { method: 'GET', url: `${BASE}/releases/r-1/measurements${asks}` },
    ]);
  });

  it('reads what a plan changes, by its hash', async () => {
    const items = [{ targets: [], changes: [] }];
    const { client, asked } = setUp(json({ items }));
    await expect(client.getPlanDiff('component:default/checkout', 'sha256:1')).resolves.toEqual(
      items,
    );
    expect(asked).toMatchObject([
      {
        method: 'GET',
        url: `${BASE}/plans/sha256%3A1/diff?service=component%3Adefault%2Fcheckout`,
      },
    ]);
  });

  it('reads the steps of a release page by page, and the plan that they are of', async () => {
    const { client, asked } = setUp(
      json({ items: [{ plan: 2, id: '0.1' }], nextCursor: '1' }),
      json({ items: [{ plan: 2, id: '0.2' }] }),
      json({ number: 2 }),
    );
    await expect(client.listSteps('r-1')).resolves.toEqual([
      { plan: 2, id: '0.1' },
      { plan: 2, id: '0.2' },
    ]);
    await expect(client.getPlan('r-1', 2)).resolves.toEqual({ number: 2 });
    expect(asked.map(({ url }) => url)).toEqual([
      `${BASE}/releases/r-1/steps?limit=500`,
      `${BASE}/releases/r-1/steps?limit=500&cursor=1`,
      `${BASE}/releases/r-1/plan?number=2`,
    ]);
  });

  it('starts exactly what was previewed, once for each click', async () => {
    const { client, asked } = setUp(json({ id: 'r-2' }, { status: 201 }));
    const document = {
      apiVersion: 'v1',
      kind: 'ClusterRelease',
      metadata: { name: 'a' },
      spec: {},
    };
    const options = { planHash: 'sha256:1', idempotencyKey: 'key' };
    await expect(client.start(SERVICE, document, options)).resolves.toEqual({ id: 'r-2' });
    expect(asked[0]).toMatchObject({
      method: 'POST',
      url: `${BASE}/releases?service=component%3Adefault%2Fcheckout&planHash=sha256%3A1`,
      body: JSON.stringify(document),
    });
    expect(asked[0].headers.get('Idempotency-Key')).toBe('key');
  });

  it('knows no release documents where the service has none', async () => {
    const { client } = setUp(
      json({ error: { name: 'NotFoundError', message: 'none' } }, { status: 404 }),
    );
    await expect(client.listReleaseDocuments(SERVICE)).resolves.toEqual([]);
  });

  it('takes only ClusterReleases from the documents', async () => {
    const documents = [{ kind: 'PlacementRule' }, { kind: 'ClusterRelease' }];
    const { client } = setUp(json({ revision: '1', documents }));
    await expect(client.listReleaseDocuments(SERVICE)).resolves.toEqual([
      { kind: 'ClusterRelease' },
    ]);
  });

  it('stays with the release where an action answers nothing', async () => {
    const { client } = setUp(new Response(undefined, { status: 200 }));
    await expect(client.act('r-1', 'pause', {}, 'key')).resolves.toEqual({ id: 'r-1' });
  });

  it.each<
    [
      name: string,
      order: (client: MulticlusterReleaseClient) => Promise<void>,
      method: string,
      path: string,
      body: unknown,
    ]
  >([
    [
      'orders an emergency stop',
      client => client.orderStop({ scope: { all: true }, reason: 'the network is down' }),
      'POST',
      'stops',
      { scope: { all: true }, reason: 'the network is down' },
    ],
    [
      'lifts an emergency stop',
      client => client.liftStop('s-1', 'it is up'),
      'DELETE',
      'stops/s-1?reason=it+is+up',
      undefined,
    ],
    [
      'takes a cluster out',
      client => client.cordonCluster('cluster-a', { cordoned: true, reason: 'new nodes' }),
      'PATCH',
      'clusters/cluster-a',
      { cordoned: true, reason: 'new nodes' },
    ],
  ])('%s', async (_name, order, method, path, body) => {
    const { client, asked } = setUp(new Response(undefined, { status: 200 }));
    await order(client);
    expect(asked).toMatchObject([
      { method, url: `${BASE}/${path}`, body: body && JSON.stringify(body) },
    ]);
  });

  it('takes a service off a cluster once for each click', async () => {
    const { client, asked } = setUp(json({ id: 'r-3' }, { status: 201 }));
    const target = { cluster: 'cluster-b', namespace: 'production' };
    const options = { reason: 'it moves', last: false, idempotencyKey: 'key' };
    await expect(client.removeFromCluster(SERVICE, target, options)).resolves.toEqual({
      id: 'r-3',
    });
    expect(asked[0]).toMatchObject({
      method: 'DELETE',
      url: `${BASE}/services/component/default/checkout/clusters/cluster-b?targetNamespace=production&reason=it+moves`,
    });
    expect(asked[0].headers.get('Idempotency-Key')).toBe('key');
  });

  it('counts what a stop would reach', async () => {
    const reach = { services: 1, clusters: 2, releases: 0 };
    const { client, asked } = setUp(json({ scope: { all: true }, reach }));
    await expect(client.previewStop({ all: true })).resolves.toEqual(reach);
    expect(asked[0]).toMatchObject({ method: 'POST', url: `${BASE}/stops/preview` });
  });

  it('hears the clock of the server', async () => {
    const headers = { Date: new Date(1_090_000).toUTCString() };
    const { client } = setUp(json({ items: [] }, { headers }));
    await client.listClusters();
    expect(client.now()).toBe(1_090_000);
  });

  it('tells every fault of a refused document, its code and the request id', async () => {
    const error = {
      name: 'InputError',
      message: 'two faults',
      code: 'InvalidDocument',
      details: [
        {
          code: 'UnknownKey',
          path: 'spec.strateg',
          message: 'is not known; did you mean strategy?',
        },
        { code: 'Missing', document: 'ClusterRelease/a', message: 'needs a target version' },
      ],
    };
    const { client } = setUp(
      json(
        { error, request: {}, response: { statusCode: 400 } },
        { status: 400, headers: { 'x-request-id': 'q-1' } },
      ),
    );
    const document = {
      apiVersion: 'v1',
      kind: 'ClusterRelease',
      metadata: { name: 'a' },
      spec: {},
    };
    const refused = await client.preview(SERVICE, document).catch(cause => cause);
    expect(describeProblem(refused)).toEqual({
      message: 'two faults',
      status: 400,
      code: 'InvalidDocument',
      requestId: 'q-1',
      faults: [
        { path: 'spec.strateg', message: 'is not known; did you mean strategy?' },
        { document: 'ClusterRelease/a', message: 'needs a target version' },
      ],
    });
  });
});
