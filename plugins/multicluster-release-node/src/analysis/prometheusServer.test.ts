import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../clusters/testing/eventually';
import { ManualTiming } from '../clusters/testing/ManualTiming';
import { scriptedServer, sendJson } from '../clusters/testing/scriptedServer';
import { ask, hostOf, measurersAndServers, series } from './testing/prometheusSetup';

const { measurers, servers } = measurersAndServers();

const signal = () => new AbortController().signal;

describe('a Prometheus that does not answer', () => {
  it('is given up after 10 s', async () => {
    const server = await servers.serve(() => {});
    const timing = new ManualTiming();
    const measurer = measurers.make({ prometheus: { address: server.url } }, timing);
    const reading = measurer.measure(ask(), signal());
    await eventually('the query is there', () => server.seen.length === 1);
    timing.advance(10_000);
    expect(await reading).toMatchObject({
      result: 'error',
      message: expect.stringContaining(`${hostOf(server)}: gave no complete answer within 10 s`),
    });
  });

  it('is given up in the middle of its answer', async () => {
    const server = await servers.serve((_, response) => response.write('{'));
    const timing = new ManualTiming();
    const measurer = measurers.make({ prometheus: { address: server.url } }, timing);
    const reading = measurer.measure(ask(), signal());
    await eventually('the query is there', () => server.seen.length === 1);
    timing.advance(10_000);
    expect(await reading).toMatchObject({
      result: 'error',
      message: expect.stringContaining('10 s'),
    });
  });

  it('refuses the connection', async () => {
    const server = await scriptedServer(() => {});
    await server.close();
    const reading = await measurers.read({ prometheus: { address: server.url } }, ask());
    expect(reading).toMatchObject({
      result: 'error',
      message: expect.stringContaining(`${hostOf(server)}: refuses the connection`),
    });
  });

  it('does not speak TLS', async () => {
    const server = await servers.serveBody(series('1'));
    const address = server.url.replace('http:', 'https:');
    const reading = await measurers.read({ prometheus: { address } }, ask());
    expect(reading).toMatchObject({
      result: 'error',
      message: expect.stringContaining(`${hostOf(server)}: does not speak TLS`),
    });
    expect(server.seen).toHaveLength(0);
  });

  it('sends on to another host, which is not asked', async () => {
    const other = await servers.serveBody(series('1'));
    const server = await servers.serve((_, response) =>
      response.writeHead(302, { location: `${other.url}/secret?token=abc` }).end(),
    );
    const reading = await measurers.read({ prometheus: { address: server.url } }, ask());
    expect(reading).toMatchObject({
      result: 'error',
      message: `Prometheus at ${hostOf(server)}: answered 302 and sends on to ${hostOf(
        other,
      )}, which is not followed; write the address where it ends`,
    });
    expect(other.seen).toHaveLength(0);
  });
});

describe('a signal', () => {
  it('ends a request, and what waits for its turn', async () => {
    let gone = 0;
    const server = createServer((_, response) => response.on('close', () => (gone += 1)));
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    servers.add({ close: () => new Promise(resolve => server.close(() => resolve())) });
    const { port } = server.address() as AddressInfo;
    let arrived = 0;
    server.on('request', () => (arrived += 1));
    const measurer = measurers.make({ prometheus: { address: `http://127.0.0.1:${port}` } });
    const first = new AbortController();
    const running = Array.from({ length: 20 }, () => measurer.measure(ask(), first.signal));
    await eventually('20 are there', () => arrived === 20);

    const second = new AbortController();
    const waiting = measurer.measure(ask(), second.signal);
    second.abort();
    expect(await waiting).toMatchObject({ result: 'error', query: 'up' });

    first.abort();
    expect(await Promise.all(running)).toHaveLength(20);
    await eventually('the server sees their ends', () => gone === 20);
    expect(arrived).toBe(20);
  });

  it('that has ended before sends nothing', async () => {
    const server = await servers.serveBody(series('1'));
    const measurer = measurers.make({ prometheus: { address: server.url } });
    expect(await measurer.measure(ask(), AbortSignal.abort())).toMatchObject({ result: 'error' });
    expect(server.seen).toHaveLength(0);
  });
});

describe('many at a time', () => {
  it('are 20 for each server, and another one is asked meanwhile', async () => {
    const held: ServerResponse[] = [];
    const slow = await servers.serve((_, response) => held.push(response));
    const quick = await servers.serveBody(series('2'));
    const measurer = measurers.make({
      prometheus: { address: slow.url },
      clusters: { 'us-1': { prometheus: { address: quick.url } } },
    });
    const readings = Array.from({ length: 25 }, () => measurer.measure(ask(), signal()));
    await eventually('the slow one has what it may', () => held.length === 20);
    expect(await measurer.measure(ask({}, { cluster: 'us-1' }), signal())).toMatchObject({
      value: 2,
    });
    expect(held).toHaveLength(20);
    const answerAll = () => held.splice(0).forEach(each => sendJson(each, 200, series('1')));
    answerAll();
    await eventually('the others follow', () => held.length === 5);
    answerAll();
    expect((await Promise.all(readings)).map(({ result }) => result)).toEqual(
      Array(25).fill('value'),
    );
  });
});
