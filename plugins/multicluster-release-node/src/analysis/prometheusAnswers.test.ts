import type { ServerResponse } from 'node:http';
import { sendJson } from '../clusters/testing/scriptedServer';
import { ask, hostOf, measurersAndServers, series, success } from './testing/prometheusSetup';

const { measurers, servers } = measurersAndServers();

describe('what Prometheus answers', () => {
  it.each([
    ['one series', series('1.5'), 1.5],
    ['0', series('0'), 0],
    ['a negative number', series('-3e-05'), -0.00003],
    ['a scalar', success('scalar', [1, '42']), 42],
  ])('%s is a value', async (_, body, value) => {
    const { url } = await servers.serveBody(body);
    const reading = await measurers.read({ prometheus: { address: url } }, ask());
    expect(reading).toEqual({ query: 'up', result: 'value', value });
  });

  it.each([
    ['no series', series(), 'no series fits the query'],
    ['NaN', series('NaN'), 'the value is NaN, as 0/0 without traffic is'],
    ['a scalar that is NaN', success('scalar', [1, 'NaN']), 'the value is NaN'],
  ])('%s is no data', async (_, body, message) => {
    const { url } = await servers.serveBody(body);
    const reading = await measurers.read({ prometheus: { address: url } }, ask());
    expect(reading).toEqual({
      query: 'up',
      result: 'noData',
      message: expect.stringContaining(message),
    });
  });

  it.each([
    ['+Inf', series('+Inf'), 200, 'the value is +Inf'],
    ['-Inf', series('-Inf'), 200, 'the value is -Inf'],
    ['a number beyond all bounds', series('1e999'), 200, 'a value that is no number'],
    ['an empty value', series(''), 200, 'a value that is no number'],
    ['a value that is no text', success('scalar', [1, 5]), 200, 'a value that is no number'],
    ['several series', series('1', '2', '3'), 200, 'with 3 series; aggregate them'],
    ['a matrix', success('matrix', []), 200, 'with a matrix'],
    ['a string', success('string', [1, '5']), 200, 'with a string'],
    ['a vector that is no list', success('vector', {}), 200, 'with a vector'],
    [
      'a histogram',
      success('vector', [{ metric: {}, histogram: [1, { count: '1' }] }]),
      200,
      'with a histogram',
    ],
    ['a sample without a value', success('vector', [{ metric: {} }]), 200, 'no number'],
    ['a warning', { ...series('1'), warnings: ['store 2 is away'] }, 200, 'store 2 is away'],
    ['a part of the data', { ...series('1'), isPartial: true }, 200, 'a part of the data'],
    ['another JSON', { ok: true }, 200, 'not from Prometheus'],
    ['a list', [1], 200, 'not from Prometheus'],
    ['no data with success', { status: 'success' }, 200, 'not from Prometheus'],
    [
      'an error with 200',
      { status: 'error', errorType: 'execution', error: 'too many samples' },
      200,
      'too many samples',
    ],
    ['a wrong query', { status: 'error', error: 'parse error: x' }, 400, '400: parse error: x'],
    ['success with 400', series('1'), 400, 'answered 400'],
    ['401', {}, 401, 'answered 401; look at tokenFile and headers'],
    ['404', {}, 404, 'answered 404; look at the address'],
    ['503', { status: 'error', error: 'timed out' }, 503, 'answered 503: timed out'],
  ])('%s is an error', async (_, body, status, message) => {
    const server = await servers.serveBody(body, status);
    const reading = await measurers.read({ prometheus: { address: server.url } }, ask());
    expect(reading).toEqual({
      query: 'up',
      result: 'error',
      message: expect.stringContaining(message),
    });
    expect(reading).toHaveProperty(
      'message',
      expect.stringMatching(new RegExp(`^Prometheus at ${hostOf(server)}: `)),
    );
  });

  it.each([
    [
      'text that is not JSON',
      (response: ServerResponse) => response.end('<html>'),
      'not from Prometheus',
    ],
    ['nothing', (response: ServerResponse) => response.end(), 'not from Prometheus'],
    [
      'more than 1 MB',
      (response: ServerResponse) => response.end('x'.repeat(1_000_001)),
      'more than 1000000 bytes',
    ],
    [
      'an end in the middle',
      (response: ServerResponse) => {
        response.setHeader('content-length', '100');
        response.write('{');
        setImmediate(() => response.destroy());
      },
      'broke the connection',
    ],
  ])('%s is an error', async (_, answer, message) => {
    const server = await servers.serve((__, response) => answer(response));
    const reading = await measurers.read({ prometheus: { address: server.url } }, ask());
    expect(reading).toMatchObject({
      result: 'error',
      message: expect.stringContaining(`${hostOf(server)}: `),
    });
    expect(reading).toHaveProperty('message', expect.stringContaining(message));
  });

  it('1 MB is taken', async () => {
    const body = JSON.stringify(series('7'));
    const server = await servers.serve((_, response) => response.end(body.padEnd(1_000_000, ' ')));
    const reading = await measurers.read({ prometheus: { address: server.url } }, ask());
    expect(reading).toMatchObject({ result: 'value', value: 7 });
  });
});

describe('the number of requests', () => {
  const COUNT = { query: 'errors', countQuery: 'requests' };
  /** Answers the value with 1, and the count as given. */
  const serveCount = (status: number, body: unknown) =>
    servers.serve(({ url }, response) =>
      url.includes('query=errors')
        ? sendJson(response, 200, series('1'))
        : sendJson(response, status, body),
    );

  it.each([
    ['a number', series('250'), 250],
    ['no series', series(), 0],
    ['NaN', series('NaN'), 0],
  ])('%s comes with the value', async (_, body, samples) => {
    const { url, seen } = await serveCount(200, body);
    const reading = await measurers.read({ prometheus: { address: url } }, ask(COUNT));
    expect(reading).toEqual({ query: 'errors', result: 'value', value: 1, samples });
    expect(seen).toHaveLength(2);
  });

  it.each([
    ['a fault', 500, {}, 'answered 500'],
    ['several series', 200, series('1', '2'), '2 series'],
    ['+Inf', 200, series('+Inf'), '+Inf'],
  ])('%s makes the reading an error', async (_, status, body, message) => {
    const { url } = await serveCount(status, body);
    const reading = await measurers.read({ prometheus: { address: url } }, ask(COUNT));
    expect(reading).toEqual({
      query: 'errors',
      result: 'error',
      message: expect.stringMatching(/^countQuery: Prometheus at 127/),
    });
    expect(reading).toHaveProperty('message', expect.stringContaining(message));
  });
});
