/** A release of two objects and one that only version 1 has, for a namespace of its own. */
export function releaseDocuments(options: { version: string; clusters: string[]; namespace: string }): string {
  const { version, clusters, namespace } = options;
  const objects: object[] = [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'checkout' },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: 'checkout' } },
        template: {
          metadata: { labels: { app: 'checkout' } },
          spec: { containers: [{ name: 'checkout', image: 'registry.example.org/shop/checkout:${version}' }] },
        },
      },
    },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'checkout' }, data: { version: '${version}' } },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'checkout' },
      spec: { selector: { app: 'checkout' }, ports: [{ name: 'http', port: 80 }] },
    },
  ];
  if (version === '1.0.0') {
    objects.push({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'only-in-1' }, data: { a: 'b' } });
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
        strategy: { type: 'RollingUpdate', rollingUpdate: { mode: 'Parallel' } },
        clusters: clusters.map(name => ({ name, namespace })),
      },
    },
  ];
  return documents.map(document => JSON.stringify(document)).join('\n---\n');
}
