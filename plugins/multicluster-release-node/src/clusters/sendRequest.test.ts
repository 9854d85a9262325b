import { ClusterError } from './errors/ClusterError';
import { HttpClusterClient } from './HttpClusterClient';
import { readAnswer } from './readAnswer';
import { eventually } from './testing/eventually';
import { ManualTiming } from './testing/ManualTiming';
import { scriptedServer, sendJson, type ScriptedServer } from './testing/scriptedServer';
import { temporaryFolder } from './testing/temporaryFolder';
import { DirectTransport } from './transport/DirectTransport';
import { StaticCredential } from './transport/StaticCredential';
import { TokenFileCredential } from './transport/TokenFileCredential';
import type { CredentialSource } from './transport/types';
import type { ClusterRequest } from './types';

// Real sockets, files and modules on a machine that may be busy.
jest.setTimeout(60_000);

const open: { close(): Promise<void> }[] = [];
const noCredential = new StaticCredential({ headers: {} });

afterEach(async () => {
  await Promise.all(open.splice(0).map(resource => resource.close()));
});

async function serve(answer: Parameters<typeof scriptedServer>[0]): Promise<ScriptedServer> {
  const server = await scriptedServer(answer);
  open.push(server);
  return server;
}

function clientFor(
  server: string,
  timing = new ManualTiming(),
  credentials: CredentialSource = noCredential,
) {
  const client = new HttpClusterClient({
    name: 'eu-1',
    transport: new DirectTransport({ server, credentials }),
    timing,
    logger: {
      error: message => {
        throw new Error(message);
      },
    },
  });
  open.push(client);
  return client;
}

async function failureOf(asking: Promise<unknown>): Promise<ClusterError> {
  const failure = await asking.then(
    () => undefined,
    error => error,
  );
  expect(failure).toBeInstanceOf(ClusterError);
  return failure;
}

const get: ClusterRequest = { method: 'GET', path: '/api/v1/namespaces/shop/pods/web' };

describe('a request', () => {
  it('sends objects key for key, and what else it was given', async () => {
    const server = await serve((_, response) =>
      sendJson(response, 201, { 'x-kubernetes-kept': true }),
    );
    const body = {
      kind: 'Box',
      'x-kubernetes-preserve-unknown-fields': true,
      nested: [{ $ref: '#', 'a/b': 1.5 }],
    };
    const response = await clientFor(`${server.url}/prefix/`).request({
      method: 'PATCH',
      path: '/apis/x/v1/boxes/one',
      query: { fieldManager: 'multicluster-release', force: false, dryRun: undefined, a: 'b c&d' },
      contentType: 'application/apply-patch+yaml',
      headers: { 'x-more': 'yes' },
      body,
    });
    expect(response).toMatchObject({ status: 201, body: { 'x-kubernetes-kept': true } });
    expect(response.headers['content-type']).toBe('application/json');
    const [call] = server.seen;
    expect(call.url).toBe(
      '/prefix/apis/x/v1/boxes/one?fieldManager=multicluster-release&force=false&a=b+c%26d',
    );
    expect(call.headers).toMatchObject({
      'content-type': 'application/apply-patch+yaml',
      'x-more': 'yes',
    });
    expect(JSON.parse(call.body)).toEqual(body);
  });

  it('answers text where the answer is not JSON', async () => {
    const server = await serve((_, response) => response.end('ok'));
    expect((await clientFor(server.url).request(get)).body).toBe('ok');
  });

  it.each([
    ['before the headers', () => {}],
    [
      'in the middle of the answer',
      (response: import('node:http').ServerResponse) => response.write('{"a":'),
    ],
  ])('ends at its time-out %s', async (_, answer) => {
    const timing = new ManualTiming();
    const server = await serve((__, response) => answer(response));
    const asking = failureOf(
      clientFor(server.url, timing).request({ ...get, timeoutMilliseconds: 3_000 }),
    );
    await eventually('the server is asked', () => server.seen.length === 1);
    timing.advance(3_000);
    const error = await asking;
    expect(error).toMatchObject({ kind: 'timeout', retryable: true });
    expect(error.message).toMatch(
      /^eu-1: pods\/shop\/web: GET failed: no complete answer within 3 s/,
    );
  });

  it.each([
    ['before it is sent', true],
    ['while it waits', false],
  ])('ends when its caller gives up %s', async (_, early) => {
    const server = await serve(() => {});
    const caller = new AbortController();
    if (early) {
      caller.abort();
    }
    const asking = failureOf(clientFor(server.url).request({ ...get, signal: caller.signal }));
    if (!early) {
      await eventually('the server is asked', () => server.seen.length === 1);
      caller.abort();
    }
    expect(await asking).toMatchObject({ kind: 'aborted', retryable: false });
  });

  it('says that nobody listens', async () => {
    const server = await scriptedServer(() => {});
    await server.close();
    const error = await failureOf(clientFor(server.url).request(get));
    expect(error).toMatchObject({ kind: 'unreachable', retryable: true });
    expect(error.message).toContain('ECONNREFUSED');
  });

  it('says that a name is not known', async () => {
    const error = await failureOf(clientFor('https://gone.invalid').request(get));
    expect(error.kind).toBe('unreachable');
    expect(error.message).toMatch(/ENOTFOUND|EAI_AGAIN/);
  });

  it('says that a connection broke', async () => {
    const server = await serve((_, response) => response.destroy());
    expect(await failureOf(clientFor(server.url).request(get))).toMatchObject({
      kind: 'unreachable',
    });
  });

  it('says that JSON does not parse, without quoting it', async () => {
    const server = await serve((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end('{"data": s3cret');
    });
    const error = await failureOf(clientFor(server.url).request(get));
    expect(error).toMatchObject({ kind: 'server' });
    expect(error.message).not.toContain('s3cret');
  });

  it('tries a 401 once more, with the token that the file holds now', async () => {
    const folder = await temporaryFolder();
    const tokenFile = await folder.write('token', 'old');
    const server = await serve(({ headers }, response) =>
      sendJson(response, headers.authorization === 'Bearer new' ? 200 : 401, { kind: 'Status' }),
    );
    const timing = new ManualTiming();
    const client = clientFor(server.url, timing, new TokenFileCredential(tokenFile, timing));
    expect(await failureOf(client.request(get))).toMatchObject({ kind: 'unauthorized' });
    expect(server.seen).toHaveLength(1);
    await folder.write('token', 'new');
    expect((await client.request(get)).status).toBe(200);
    await folder.remove();
  });

  it('names the object as its caller does', async () => {
    const server = await serve((_, response) =>
      sendJson(response, 404, { kind: 'Status', reason: 'NotFound' }),
    );
    const error = await failureOf(
      clientFor(server.url).request({ ...get, subject: 'Pod/shop/web' }),
    );
    expect(error.message).toMatch(/^eu-1: Pod\/shop\/web: GET answered 404 NotFound/);
  });
});

describe('readAnswer', () => {
  it('takes no more than its limit', async () => {
    async function* body() {
      yield Buffer.from('12345');
      yield Buffer.from('67890');
    }
    await expect(readAnswer(body(), 'application/json', 9)).rejects.toThrow(
      'sent more than 9 bytes',
    );
    expect(await readAnswer(body(), 'application/json', 10)).toBe(1_234_567_890);
  });
});

describe('resource', () => {
  it('reads a group and version once, again after a miss, and not again at once', async () => {
    const resources: object[] = [
      { name: 'boxes', kind: 'Box', namespaced: true, verbs: ['get', 'patch'] },
      { name: 'boxes/status', kind: 'Box', namespaced: true, verbs: ['get'] },
    ];
    const server = await serve((_, response) => sendJson(response, 200, { resources }));
    const timing = new ManualTiming();
    const client = clientFor(server.url, timing);
    const [box] = await Promise.all([
      client.resource('x.org/v1', 'Box'),
      client.resource('x.org/v1', 'Box'),
    ]);
    expect(box).toEqual({
      apiVersion: 'x.org/v1',
      kind: 'Box',
      pathPrefix: '/apis/x.org/v1',
      plural: 'boxes',
      namespaced: true,
      verbs: ['get', 'patch'],
    });
    expect(await client.resource('x.org/v1', 'Lid')).toBeUndefined();
    expect(server.seen).toHaveLength(1);
    resources.push({ name: 'lids', kind: 'Lid', namespaced: false });
    timing.advance(2_000);
    expect(await client.resource('x.org/v1', 'Lid')).toMatchObject({
      plural: 'lids',
      namespaced: false,
    });
    expect(server.seen.map(call => call.url)).toEqual(['/apis/x.org/v1', '/apis/x.org/v1']);
  });

  it.each([
    ['a group that is not there is an answer', 404, 'undefined'],
    ['a failure is not', 500, 'server'],
  ])('%s', async (_, status, expected) => {
    const server = await serve((__, response) => sendJson(response, status, { kind: 'Status' }));
    const found = await clientFor(server.url)
      .resource('v1', 'Box')
      .catch(error => error.kind);
    expect(String(found)).toBe(expected);
    expect(server.seen[0].url).toBe('/api/v1');
  });
});
