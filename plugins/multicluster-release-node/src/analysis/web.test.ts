import { scriptedServer, sendJson, type ScriptedServer } from '../clusters/testing/scriptedServer';
import type { Measurement } from '../ports';
import { measurementOf, Measurers } from './testing/measurerSetup';

// Real sockets on a machine that may be busy.
jest.setTimeout(60_000);

const measurers = new Measurers();
const open: ScriptedServer[] = [];

afterEach(async () => {
  await measurers.close();
  await Promise.all(open.splice(0).map(each => each.close()));
});

async function serve(answer: Parameters<typeof scriptedServer>[0]): Promise<ScriptedServer> {
  const server = await scriptedServer(answer);
  open.push(server);
  return server;
}

const hostOf = ({ url }: ScriptedServer) => url.replace('http://', '');
const allowing = (...allow: string[]) => ({ web: { allow } });
const ask = (url: string, jsonPath?: string, where: Partial<Measurement> = {}) =>
  measurementOf({ kind: 'web', url, jsonPath }, where);

const BODY = {
  rate: 1.5,
  data: { items: [{ rate: 0 }, { rate: '2' }] },
  none: null,
  list: [1],
  yes: true,
};

describe('what the web answers', () => {
  it.each([
    ['a name', 'rate', 1.5],
    ['names and a number', 'data.items[0].rate', 0],
    ['a path from the answer itself', '$.list[0]', 1],
  ])('%s leads to a value', async (_, path, value) => {
    const server = await serve((__, response) => sendJson(response, 200, BODY));
    const reading = await measurers.read(
      allowing(hostOf(server)),
      ask(`${server.url}/value`, path),
    );
    expect(reading).toEqual({ query: `${server.url}/value`, result: 'value', value });
  });

  it('the answer itself is the value without a path, whatever it says to be', async () => {
    const server = await serve((_, response) => response.end('12.5'));
    expect(await measurers.read(allowing(hostOf(server)), ask(`${server.url}/`))).toMatchObject({
      result: 'value',
      value: 12.5,
    });
  });

  it.each([
    ['a name that is not there', 'data.rates'],
    ['an item that is not there', 'data.items[2].rate'],
    ['what JavaScript adds', 'list.length'],
    ['what every object has', 'data.constructor'],
    ['null', 'none'],
  ])('%s is no data', async (_, path) => {
    const server = await serve((__, response) => sendJson(response, 200, BODY));
    const reading = await measurers.read(allowing(hostOf(server)), ask(`${server.url}/`, path));
    expect(reading).toEqual({
      query: `${server.url}/`,
      result: 'noData',
      message: `${hostOf(server)}: the answer has nothing at ${path}`,
    });
  });

  it.each([
    ['a numeric string', 200, BODY, 'data.items[1].rate', 'but a string'],
    ['a boolean', 200, BODY, 'yes', 'but a boolean'],
    ['an object', 200, BODY, 'data', 'but an object'],
    ['a list', 200, BODY, 'list', 'but a list'],
    ['a path that is none', 200, BODY, 'list[x]', 'jsonPath list[x] cannot be read'],
    ['404', 404, BODY, 'rate', 'answered 404'],
    ['500', 500, BODY, 'rate', 'answered 500'],
  ])('%s is an error', async (_, status, body, path, message) => {
    const server = await serve((__, response) => sendJson(response, status, body));
    const reading = await measurers.read(allowing(hostOf(server)), ask(`${server.url}/`, path));
    expect(reading).toMatchObject({
      result: 'error',
      message: expect.stringContaining(`${hostOf(server)}: `),
    });
    expect(reading).toHaveProperty('message', expect.stringContaining(message));
  });

  it.each([
    ['text', '<html>', 'not JSON'],
    ['nothing', '', 'not JSON'],
    ['NaN', 'NaN', 'not JSON'],
    ['a number beyond all bounds', '1e999', 'one that is too large'],
    ['more than 1 MB', ' '.repeat(1_000_001), 'more than 1000000 bytes'],
  ])('%s is an error', async (_, body, message) => {
    const server = await serve((__, response) => response.end(body));
    const reading = await measurers.read(allowing(hostOf(server)), ask(`${server.url}/`));
    expect(reading).toMatchObject({
      result: 'error',
      message: expect.stringContaining(message),
    });
  });
});

describe('the url', () => {
  it('has its variables, encoded', async () => {
    const server = await serve((_, response) => sendJson(response, 200, 1));
    const url = `${server.url}/{{namespace}}?v={{version}}&old={{stableVersion}}&w={{window}}&c={{cluster}}#x`;
    const sent = '/shop?v=4.0.0%2Bb1&old=3.9.0&w=60s&c=a%2Fb';
    const reading = await measurers.read(
      allowing(hostOf(server)),
      ask(url, undefined, { version: '4.0.0+b1', cluster: 'a/b' }),
    );
    expect(reading).toEqual({ query: `${server.url}${sent}`, result: 'value', value: 1 });
    expect(server.seen.map(call => call.url)).toEqual([sent]);
  });

  it('has no data where nothing ran before', async () => {
    const reading = await measurers.read(
      allowing('example.org'),
      ask('https://example.org/{{stableVersion}}', undefined, { stableVersion: undefined }),
    );
    expect(reading).toMatchObject({ result: 'noData' });
  });

  it('is only asked where its host is allowed', async () => {
    const server = await serve((_, response) => sendJson(response, 200, 1));
    const { port } = new URL(server.url);
    const lists = [[], ['127.0.0.1'], [`localhost:${port}`], ['127.0.0.1:1'], [`10.0.0.1:${port}`]];
    for (const list of lists) {
      expect(await measurers.read(allowing(...list), ask(`${server.url}/x`))).toEqual({
        query: `${server.url}/x`,
        result: 'error',
        message: `127.0.0.1:${port} is not a host that measurements may be read from; an administrator adds it to multiclusterRelease.metrics.web.allow`,
      });
    }
    expect(server.seen).toHaveLength(0);
  });

  it('does not lead to the host that a variable or a spelling hides', async () => {
    const server = await serve((_, response) => sendJson(response, 200, 1));
    const { port } = new URL(server.url);
    const urls = [
      `http://2130706433:${port}/`,
      `http://{{cluster}}:${port}/`,
      `http://allowed.example@127.0.0.1:${port}/`,
      `http://127.0.0.1:${port}\\@allowed.example/`,
    ];
    for (const url of urls) {
      const reading = await measurers.read(
        allowing('allowed.example'),
        ask(url, undefined, { cluster: '127.0.0.1' }),
      );
      expect(reading).toMatchObject({ result: 'error' });
    }
    expect(server.seen).toHaveLength(0);
  });

  it.each([
    ['a credential', 'https://me:hunter22@allowed.example/x', 'url holds a credential'],
    ['another scheme', 'file:///etc/passwd', 'url must begin with https:// or http://'],
    ['no URL', 'allowed.example/x y', 'url is no URL'],
  ])('is not asked where it is %s', async (_, url, message) => {
    const reading = await measurers.read(allowing('allowed.example'), ask(url));
    expect(reading).toMatchObject({ result: 'error', message: expect.stringContaining(message) });
    expect(JSON.stringify(reading)).not.toContain('hunter22');
  });

  it('gets no credential of Prometheus on the same address', async () => {
    const server = await serve((_, response) => sendJson(response, 200, 1));
    const prometheus = { address: server.url, headers: { 'X-Key': 'key-secret' } };
    await measurers.read(
      { prometheus, ...allowing(hostOf(server)) },
      ask(`${server.url}/api/v1/query?query=up`),
    );
    expect(server.seen).toHaveLength(1);
    expect(server.seen[0].headers).not.toHaveProperty('x-key');
  });

  it('is not followed to another host', async () => {
    const other = await serve((_, response) => sendJson(response, 200, 1));
    const server = await serve((_, response) =>
      response.writeHead(307, { location: other.url }).end(),
    );
    const reading = await measurers.read(
      allowing(hostOf(server), hostOf(other)),
      ask(`${server.url}/`),
    );
    expect(reading).toMatchObject({
      result: 'error',
      message: expect.stringContaining(`answered 307 and sends on to ${hostOf(other)}`),
    });
    expect(other.seen).toHaveLength(0);
  });
});
