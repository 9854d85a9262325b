import { sendJson } from '../clusters/testing/scriptedServer';
import { temporaryFolder, type TemporaryFolder } from '../clusters/testing/temporaryFolder';
import { ask, hostOf, measurersAndServers, series } from './testing/prometheusSetup';

const { measurers, servers } = measurersAndServers();

const signal = () => new AbortController().signal;

describe('the query', () => {
  it('has its variables, as it was sent', async () => {
    const server = await servers.serveBody(series('1'));
    const query =
      'rate(e{c="{{cluster}}",n="{{ namespace }}",v=~"{{version}}|{{stableVersion}}"}[{{window}}])';
    const sent = 'rate(e{c="eu-1",n="shop",v=~"4.0.0|3.9.0"}[1500ms])';
    const reading = await measurers.read(
      { prometheus: { address: `${server.url}/prefix/` } },
      ask({ query }, { windowMilliseconds: 1499.9999 }),
    );
    expect(reading.query).toBe(sent);
    const [{ url, method }] = server.seen;
    expect(method).toBe('GET');
    expect(url.split('?')[0]).toBe('/prefix/api/v1/query');
    expect(new URLSearchParams(url.split('?')[1]).get('query')).toBe(sent);
  });

  it('goes in the body where it is long', async () => {
    const server = await servers.serveBody(series('1'));
    const query = `sum(up) ${'+ 0 '.repeat(500)}`;
    const reading = await measurers.read({ prometheus: { address: server.url } }, ask({ query }));
    expect(reading).toMatchObject({ result: 'value', query });
    const [{ method, url, body, headers }] = server.seen;
    expect([method, url]).toEqual(['POST', '/api/v1/query']);
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(new URLSearchParams(body).get('query')).toBe(query);
  });

  it.each([
    ['a quote', { namespace: 'shop"} or vector(0) #' }],
    ['a back-tick', { version: '4`' }],
    ['a backslash', { version: '4\\' }],
    ['a new line', { cluster: 'eu\n1' }],
    ['nothing', { version: '' }],
    ['a dot at its beginning', { version: '..' }],
  ])('is not sent with %s in a variable', async (_, where) => {
    const server = await servers.serveBody(series('1'));
    const query = 'up{n="{{namespace}}",v="{{version}}",c="{{cluster}}"}';
    const reading = await measurers.read(
      { prometheus: { address: server.url } },
      ask({ query }, where),
    );
    expect(reading).toEqual({
      query,
      result: 'error',
      message: expect.stringContaining('which has characters that a query must not get'),
    });
    expect(server.seen).toHaveLength(0);
  });

  it('takes the names of kubeconfig contexts as clusters', async () => {
    const server = await servers.serveBody(series('1'));
    const cluster = 'arn:aws:eks:eu-1:1:cluster/a@b';
    const reading = await measurers.read(
      { prometheus: { address: server.url } },
      ask({ query: 'up{c="{{cluster}}"}' }, { cluster }),
    );
    expect(reading).toMatchObject({ result: 'value', query: `up{c="${cluster}"}` });
  });

  it('says which variable there is not', async () => {
    const { url } = await servers.serveBody(series('1'));
    const reading = await measurers.read({ prometheus: { address: url } }, ask({ query: '{{x}}' }));
    expect(reading).toMatchObject({
      result: 'error',
      message: '{{x}} is no variable; there are cluster, namespace, version, stableVersion, window',
    });
  });

  it('has no data where nothing ran before', async () => {
    const server = await servers.serveBody(series('1'));
    const reading = await measurers.read(
      { prometheus: { address: server.url } },
      ask({ query: 'up{v="{{stableVersion}}"}' }, { stableVersion: undefined }),
    );
    expect(reading).toMatchObject({
      result: 'noData',
      message: expect.stringContaining('{{stableVersion}} has no value'),
    });
    expect(server.seen).toHaveLength(0);
  });
});

describe('the Prometheus that is asked', () => {
  it('is that of the cluster before that for all, and that of the metric before both', async () => {
    const [all, own, named] = await Promise.all(
      ['1', '2', '3'].map(each => servers.serveBody(series(each))),
    );
    const measurer = measurers.make({
      prometheus: { address: all.url },
      clusters: { 'eu.1': { prometheus: { address: own.url } } },
      allow: [`${named.url}/`],
    });
    const value = async (...measurement: Parameters<typeof ask>) =>
      (await measurer.measure(ask(...measurement), signal())) as { value: number };
    expect((await value({}, { cluster: 'us-1' })).value).toBe(1);
    expect((await value({}, { cluster: 'eu.1' })).value).toBe(2);
    expect((await value({ address: named.url }, { cluster: 'eu.1' })).value).toBe(3);
  });

  it('must be known', async () => {
    expect(await measurers.read({}, ask())).toEqual({
      query: 'up',
      result: 'error',
      message:
        'no Prometheus is known for eu-1; set multiclusterRelease.metrics.prometheus.address or multiclusterRelease.metrics.clusters.eu-1.prometheus.address in app-config',
    });
  });

  it('is not any that a document names', async () => {
    const [known, other] = await Promise.all([
      servers.serveBody(series('1')),
      servers.serveBody(series('2')),
    ]);
    const metrics = {
      prometheus: { address: known.url },
      clusters: { 'us-1': { prometheus: { address: `${other.url}/us` } } },
      allow: [`${other.url}/allowed`],
    };
    for (const address of [other.url, `${other.url}/us`, `${other.url}/allowed/../us`]) {
      expect(await measurers.read(metrics, ask({ address }))).toMatchObject({
        result: 'error',
        message: `${hostOf(
          other,
        )} is not a Prometheus that documents may name; an administrator adds its address to multiclusterRelease.metrics.allow`,
      });
    }
    expect(other.seen).toHaveLength(0);
  });

  it.each([
    ['no URL', 'prometheus.example/x y', 'is no URL'],
    ['another scheme', 'file:///etc/passwd', 'must begin with https:// or http://'],
    ['a credential', 'http://me:hunter22@127.0.0.1:1', 'holds a credential'],
    ['a query', 'http://127.0.0.1:1/?x=1', 'must end before the ?'],
  ])('is not asked where the document names %s', async (_, address, message) => {
    const reading = await measurers.read({ allow: ['http://127.0.0.1:1'] }, ask({ address }));
    expect(reading).toMatchObject({
      result: 'error',
      message: expect.stringContaining(`prometheus.address of the metric ${message}`),
    });
    expect(JSON.stringify(reading)).not.toContain('hunter22');
  });
});

describe('credentials', () => {
  let folder: TemporaryFolder;

  beforeEach(async () => {
    folder = await temporaryFolder();
  });

  afterEach(() => folder.remove());

  it('are sent to the configured address, and to no other', async () => {
    const [known, allowed] = await Promise.all([
      servers.serveBody(series('1')),
      servers.serveBody(series('1')),
    ]);
    const metrics = {
      prometheus: {
        address: known.url,
        headers: { 'X-Scope-OrgID': 'tenant-1' },
        tokenFile: await folder.write('token', 'abc-secret\n'),
      },
      allow: [allowed.url],
    };
    await measurers.read(metrics, ask({ address: `${known.url}/` }));
    expect(known.seen[0].headers).toMatchObject({
      'x-scope-orgid': 'tenant-1',
      authorization: 'Bearer abc-secret',
    });
    await measurers.read(metrics, ask({ address: allowed.url }));
    expect(allowed.seen[0].headers).not.toHaveProperty('x-scope-orgid');
    expect(allowed.seen[0].headers).not.toHaveProperty('authorization');
  });

  it('are read again when they are not accepted any more', async () => {
    const file = await folder.write('token', 'old-token');
    const server = await servers.serve(({ headers }, response) =>
      headers.authorization === 'Bearer new-token'
        ? sendJson(response, 200, series('1'))
        : sendJson(response, 401, {}),
    );
    const measurer = measurers.make({ prometheus: { address: server.url, tokenFile: file } });
    expect(await measurer.measure(ask(), signal())).toMatchObject({ result: 'error' });
    await folder.write('token', 'new-token');
    expect(await measurer.measure(ask(), signal())).toMatchObject({ result: 'value' });
  });

  it('are not repeated where a server repeats them', async () => {
    const server = await servers.serve(({ headers }, response) =>
      sendJson(response, 403, {
        status: 'error',
        error: `no ${headers.authorization} and no ${headers['x-key']}, only abc-secret-1`,
      }),
    );
    const reading = await measurers.read(
      {
        prometheus: {
          address: server.url,
          headers: { authorization: 'Bearer abc-secret-1', 'X-Key': 'key-secret-2' },
        },
      },
      ask(),
    );
    expect(reading).toMatchObject({
      result: 'error',
      message: expect.stringContaining('answered 403: no … and no …, only …; look at tokenFile'),
    });
  });

  it('that cannot be read are told by the name of their file', async () => {
    const server = await servers.serveBody(series('1'));
    const missing = `${folder.path}/missing`;
    for (const key of ['tokenFile', 'caFile']) {
      const reading = await measurers.read(
        { prometheus: { address: server.url, [key]: missing } },
        ask(),
      );
      expect(reading).toMatchObject({
        result: 'error',
        message: expect.stringContaining(`${missing} cannot be read (ENOENT)`),
      });
    }
    expect(server.seen).toHaveLength(0);
  });
});
