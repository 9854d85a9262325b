import type { Measurement } from '../ports';
import { ask, measurersAndServers, series } from './testing/prometheusSetup';

const { measurers, servers } = measurersAndServers();

const QUERY = 'errors{v="{{version}}"}';
const STABLE = { comparison: { with: 'stable' } } as const;

/** Answers 3 for the new version, and 2 for any other; what it was asked is in the order of its text. */
async function compared(where: Partial<Measurement>, query: string = QUERY) {
  const server = await servers.serve((request, response) => {
    const isNew = new URL(request.url ?? '', 'http://a').searchParams
      .get('query')
      ?.includes('4.0.0');
    response.end(JSON.stringify(series(isNew ? '3' : '2')));
  });
  const reading = await measurers.read(
    { prometheus: { address: server.url } },
    ask({ query }, where),
  );
  const asked = server.seen.map(({ url }) => [...new URL(url, 'http://a').searchParams.values()]);
  return { reading, asked: asked.sort() };
}

describe('a comparison', () => {
  it('with stable asks the same query for the version that ran before', async () => {
    const { reading, asked } = await compared(STABLE);
    expect(asked).toEqual([['errors{v="3.9.0"}'], ['errors{v="4.0.0"}']]);
    expect(reading).toEqual({
      query: 'errors{v="4.0.0"}',
      result: 'value',
      value: 3,
      baseline: { query: 'errors{v="3.9.0"}', result: 'value', value: 2 },
    });
  });

  it('with before asks about the moment before, and about the version of then', async () => {
    const { reading, asked } = await compared({
      comparison: { with: 'before', at: 1_800_000_000_250 },
    });
    expect(asked).toEqual([['errors{v="3.9.0"}', '1800000000.25'], ['errors{v="4.0.0"}']]);
    expect(reading).toMatchObject({ value: 3, baseline: { value: 2 } });
  });

  it('with before needs no version where the query has none', async () => {
    const comparison = { with: 'before', at: 5_000 } as const;
    const { reading, asked } = await compared({ comparison, stableVersion: undefined }, 'errors');
    expect(asked).toEqual([['errors'], ['errors', '5']]);
    expect(reading.baseline).toMatchObject({ result: 'value', value: 2 });
  });

  it.each([
    ['a first release', undefined, 'nothing ran here before, so {{version}} has no value'],
    ['the same version with another configuration', '4.0.0', 'the stable version is 4.0.0 too'],
  ])('has no data in %s, and asks for the new version only', async (_, stableVersion, message) => {
    const { reading, asked } = await compared({ ...STABLE, stableVersion });
    expect(asked).toEqual([['errors{v="4.0.0"}']]);
    expect(reading).toMatchObject({
      value: 3,
      baseline: { query: QUERY, result: 'noData', message: expect.stringContaining(message) },
    });
  });

  it('keeps an error of each side beside the answer of the other', async () => {
    const server = await servers.serve((request, response) => {
      const isNew = request.url?.includes('4.0.0');
      response.statusCode = isNew ? 200 : 503;
      response.end(JSON.stringify(series('3')));
    });
    const reading = await measurers.read(
      { prometheus: { address: server.url } },
      ask({ query: QUERY }, STABLE),
    );
    expect(reading).toMatchObject({
      ...{ result: 'value', value: 3 },
      baseline: { result: 'error', message: expect.stringContaining('answered 503') },
    });
  });

  it('of the web asks the address of the other version', async () => {
    const server = await servers.serve((request, response) => {
      response.end(request.url?.endsWith('/4.0.0') ? '3' : '2');
    });
    const provider = { kind: 'web', url: `${server.url}/{{version}}` } as const;
    const web = { allow: [new URL(server.url).host] };
    const reading = await measurers.read({ web }, { ...ask({}, STABLE), provider });
    expect(reading).toMatchObject({
      value: 3,
      baseline: { query: `${server.url}/3.9.0`, value: 2 },
    });
  });
});
