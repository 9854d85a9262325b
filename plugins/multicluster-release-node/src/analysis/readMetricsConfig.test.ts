import { ConfigReader } from '@backstage/config';
import { readMetricsConfig } from './readMetricsConfig';

const read = (metrics?: unknown) =>
  readMetricsConfig(
    new ConfigReader(
      metrics === undefined ? {} : { multiclusterRelease: { metrics: metrics as {} } },
    ),
  );

describe('the configuration of measurements', () => {
  it('allows nothing by itself', () => {
    expect(read()).toEqual({
      prometheus: undefined,
      clusters: new Map(),
      allow: [],
      webAllow: [],
    });
  });

  it('is read', () => {
    const { prometheus, clusters, allow, webAllow } = read({
      prometheus: {
        address: 'HTTPS://Prometheus.example.org:443/p/',
        headers: { 'X-Scope-OrgID': 'a' },
      },
      clusters: {
        'eu.1': { prometheus: { address: 'http://10.0.0.1:9090', tokenFile: '/t', caFile: '/c' } },
      },
      allow: ['http://other:9090/'],
      web: { allow: ['Metrics.example.org', 'example.org:8443', '[::1]:80'] },
    });
    expect(prometheus).toEqual({
      address: 'https://prometheus.example.org/p',
      headers: { 'x-scope-orgid': 'a' },
    });
    expect([...clusters]).toEqual([
      ['eu.1', { address: 'http://10.0.0.1:9090', headers: {}, tokenFile: '/t', caFile: '/c' }],
    ]);
    expect(allow).toEqual(['http://other:9090']);
    expect(webAllow).toEqual(['metrics.example.org', 'example.org:8443', '[::1]:80']);
  });

  const address = 'https://prometheus.example.org';
  it.each([
    [
      'an address that is no URL',
      { prometheus: { address: 'x y' } },
      'prometheus.address is no URL',
    ],
    [
      'an address with a credential',
      { prometheus: { address: 'https://me:hunter22@x.example' } },
      'prometheus.address holds a credential',
    ],
    ['no address', { prometheus: {} }, 'prometheus.address'],
    ['another scheme', { allow: [address, 'ftp://x'] }, 'allow[1] must begin with'],
    ['a query', { allow: [`${address}/?a=b`] }, 'allow[0] must end before the ?'],
    [
      'a cluster without Prometheus',
      { clusters: { 'eu.1': {} } },
      'clusters.eu.1 must have prometheus',
    ],
    ['clusters that are a list', { clusters: ['a'] }, 'clusters must be an object'],
    [
      'a scheme in a host',
      { web: { allow: ['https://x.example'] } },
      'web.allow[0] is https://x.example',
    ],
    ['a path in a host', { web: { allow: ['x.example/a'] } }, 'web.allow[0]'],
    ['a pattern', { web: { allow: ['*.example'] } }, 'web.allow[0]'],
    ['an empty host', { web: { allow: [''] } }, 'web.allow[0]'],
    [
      'a header that is no text',
      { prometheus: { address, headers: { 'X-Key': 5 } } },
      'prometheus.headers.X-Key must be one line',
    ],
    [
      'a header of two lines',
      { prometheus: { address, headers: { 'X-Key': 'hunter22\nx: y' } } },
      'prometheus.headers.X-Key must be one line',
    ],
    [
      'a name that no header has',
      { prometheus: { address, headers: { 'a b': 'c' } } },
      'prometheus.headers has a name',
    ],
    [
      'two ways to prove who we are',
      { prometheus: { address, headers: { Authorization: 'Basic hunter22' }, tokenFile: '/t' } },
      'both tokenFile and the header authorization',
    ],
  ])('%s is refused by its key', (_, metrics, message) => {
    let said = '';
    try {
      read(metrics);
    } catch (error) {
      said = String(error);
    }
    expect(said).toContain(message);
    expect(said).toContain('multiclusterRelease.metrics.');
    expect(said).not.toContain('hunter22');
  });
});
