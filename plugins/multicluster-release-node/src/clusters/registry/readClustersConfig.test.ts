import { ConfigReader } from '@backstage/config';
import { readClustersConfig } from './readClustersConfig';

function read(multiclusterRelease: object) {
  return readClustersConfig(new ConfigReader({ multiclusterRelease: multiclusterRelease as {} }));
}

function readCluster(cluster: object) {
  return read({ clusters: { 'eu-1': cluster } }).clusters[0];
}

const noLabels = { labels: {}, title: undefined, region: undefined, position: undefined };

describe('readClustersConfig', () => {
  it('needs nothing', () => {
    expect(readClustersConfig(new ConfigReader({}))).toEqual({
      clusters: [],
      kubeconfig: undefined,
      kubernetesPlugin: false,
      allow: { exec: [], insecureTls: [], http: [] },
      probe: {
        intervalSeconds: 15,
        timeoutSeconds: 5,
        usageIntervalSeconds: 120,
        startGraceSeconds: 0,
      },
    });
  });

  it('reads names that are no config keys', () => {
    const clusters = {
      '1.eu.example.org': {
        region: 'eu',
        labels: { 'topology.kubernetes.io/zone': 'a' },
        groups: ['payments'],
      },
    };
    expect(read({ clusters }).clusters).toEqual([
      {
        ...noLabels,
        name: '1.eu.example.org',
        region: 'eu',
        labels: { 'topology.kubernetes.io/zone': 'a' },
        groups: ['payments'],
        access: undefined,
      },
    ]);
  });

  it.each([
    [
      'kubeconfig',
      { kubeconfig: { path: '/k', context: 'c' } },
      { type: 'kubeconfig', path: '/k', context: 'c' },
    ],
    [
      'token',
      { token: { server: 'https://x', tokenFile: '/t' } },
      { type: 'token', server: 'https://x', tokenFile: '/t', insecureSkipTlsVerify: false },
    ],
    ['inCluster', { inCluster: true }, { type: 'inCluster' }],
    ['kubernetesPlugin', { kubernetesPlugin: true }, { type: 'kubernetesPlugin', name: 'eu-1' }],
    [
      'kubernetesPlugin by another name',
      { kubernetesPlugin: { name: 'europe' } },
      { type: 'kubernetesPlugin', name: 'europe' },
    ],
  ])('reads the access %s', (_, access, expected) => {
    expect(readCluster({ access }).access).toMatchObject(expected);
  });

  it('reads a position', () => {
    const position = { latitude: 50.1, longitude: 8.7 };
    expect(readCluster({ position }).position).toEqual(position);
  });

  it.each([
    [
      'no access',
      { access: {} },
      /eu-1\.access names nothing; give exactly one of kubeconfig, token/,
    ],
    [
      'two accesses',
      { access: { inCluster: true, kubernetesPlugin: true } },
      /eu-1\.access names inCluster, kubernetesPlugin; give exactly one/,
    ],
    ['a misspelt access', { access: { kubeConfig: {} } }, /eu-1\.access names kubeConfig/],
    [
      'a misspelt access beside a right one',
      { access: { inCluster: true, tokn: {} } },
      /exactly one/,
    ],
    [
      'a token without a file',
      { access: { token: { server: 'https://x' } } },
      /eu-1\.access\.token\.tokenFile/,
    ],
    ['inCluster: false', { access: { inCluster: false } }, /inCluster can only be true/],
    [
      'a label that is a number',
      { labels: { tier: 1 } },
      /eu-1\.labels\['tier'\] is 1; put it in quotes/,
    ],
    ['labels that are a list', { labels: ['a'] }, /eu-1\.labels must be an object/],
    [
      'a place beyond the pole',
      { position: { latitude: 91, longitude: 0 } },
      /latitude is 91; give degrees/,
    ],
    ['half a place', { position: { latitude: 1 } }, /eu-1\.position\.longitude/],
    ['a cluster that is a text', 'eu', /eu-1 must be an object/],
  ])('names the place of %s', (_, cluster, message) => {
    expect(() => readCluster(cluster as object)).toThrow(message);
  });

  it.each([
    [{ probe: { intervalSeconds: 0 } }, /probe\.intervalSeconds is 0/],
    [{ probe: { startGraceSeconds: -1 } }, /probe\.startGraceSeconds is -1/],
    [{ clusters: [] }, /multiclusterRelease\.clusters must be an object/],
    [{ kubeconfig: {} }, /kubeconfig\.path/],
  ])('names the place in %j', (value, message) => {
    expect(() => read(value)).toThrow(message);
  });
});
