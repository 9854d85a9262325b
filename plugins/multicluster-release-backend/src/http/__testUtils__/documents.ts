const API_VERSION = 'multicluster-release.io/v1';

/** A Deployment whose image takes the version. */
export function sampleTemplate(extra: object[] = []): object {
  return {
    apiVersion: API_VERSION,
    kind: 'ResourceTemplate',
    metadata: { name: 'checkout' },
    spec: {
      source: { manifests: { inline: [sampleDeployment(), ...extra] } },
      images: [{ name: 'ghcr.io/acme/checkout' }],
      versions: { list: ['1.0.0', '2.0.0'] },
    },
  };
}

export function sampleDeployment(): object {
  const labels = { app: 'checkout' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'checkout' },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'checkout', image: 'ghcr.io/acme/checkout:0.0.0' }] },
      },
    },
  };
}

export interface ReleaseOptions {
  version?: string;
  clusters?: string[];
  strategy?: object;
  more?: object;
}

export const SERIAL = { type: 'RollingUpdate', rollingUpdate: { mode: 'Serial' } };

/** cluster-a first, until a person promotes; then the others. */
export const BY_HAND = {
  type: 'Canary',
  canary: { steps: [{ clusters: ['cluster-a'], pause: {} }] },
};

export function sampleRelease({
  version = '1.0.0',
  clusters = ['cluster-a', 'cluster-b'],
  strategy = SERIAL,
  more = {},
}: ReleaseOptions = {}): object {
  return {
    apiVersion: API_VERSION,
    kind: 'ClusterRelease',
    metadata: { name: 'checkout' },
    spec: {
      targetVersion: version,
      strategy,
      clusters: clusters.map(name => ({ name, namespace: 'production' })),
      ...more,
    },
  };
}

export const PARALLEL = { type: 'RollingUpdate', rollingUpdate: { mode: 'Parallel' } };

export interface FleetReleaseOptions extends Pick<ReleaseOptions, 'version' | 'strategy' | 'more'> {
  template?: object;
}

/** A release to whichever clusters there are, with its placement and its template. */
export function releaseEverywhere({
  version = '1.0.0',
  strategy = PARALLEL,
  more = {},
  template = sampleTemplate(),
}: FleetReleaseOptions = {}): object[] {
  return [
    {
      apiVersion: API_VERSION,
      kind: 'ClusterRelease',
      metadata: { name: 'checkout' },
      spec: { targetVersion: version, placement: 'everywhere', strategy, ...more },
    },
    {
      apiVersion: API_VERSION,
      kind: 'PlacementRule',
      metadata: { name: 'everywhere' },
      spec: { select: {}, namespace: 'production', groups: [{ name: 'all', match: {} }] },
    },
    template,
  ];
}
