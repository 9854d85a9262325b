/** A Deployment, a ConfigMap and a Service of one version. */
export function releaseObjects(version: string) {
  return [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'checkout' },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: 'checkout' } },
        template: {
          metadata: { labels: { app: 'checkout' } },
          spec: {
            containers: [
              { name: 'checkout', image: `registry.example.org/shop/checkout:${version}` },
            ],
          },
        },
      },
    },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'checkout' }, data: { version } },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'checkout' },
      spec: { selector: { app: 'checkout' }, ports: [{ name: 'http', port: 80 }] },
    },
  ];
}

export interface ReleaseOptions {
  version: string;
  clusters: string[];
  namespace: string;
  strategy?: object;
  policy?: object;
  /** Changes the objects before they are released. */
  change?: (objects: object[]) => void;
}

const PARALLEL = { type: 'RollingUpdate', rollingUpdate: { mode: 'Parallel' } };

/** A release of these objects, and of one more that only version 1 has. */
export function releaseDocuments(options: ReleaseOptions): string {
  const { version, clusters, namespace, strategy = PARALLEL, policy, change = () => {} } = options;
  const objects: object[] = releaseObjects(version);
  change(objects);
  if (version === '1.0.0') {
    objects.push({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'only-in-1' },
      data: { a: 'b' },
    });
  }
  const documents = [
    {
      apiVersion: 'multicluster-release.io/v1',
      kind: 'ResourceTemplate',
      metadata: { name: 'checkout' },
      spec: { source: { manifests: { inline: objects } } },
    },
    {
      apiVersion: 'multicluster-release.io/v1',
      kind: 'ClusterRelease',
      metadata: { name: 'release' },
      spec: {
        service: 'component:default/checkout',
        targetVersion: version,
        strategy,
        policy,
        clusters: clusters.map(name => ({ name, namespace })),
      },
    },
  ];
  return documents.map(document => JSON.stringify(document)).join('\n---\n');
}
