/** A Deployment, a ConfigMap and a Service of one version. */
export function releaseObjects(version: string, name = 'checkout') {
  return [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: name } },
        template: {
          metadata: { labels: { app: name } },
          spec: {
            containers: [{ name, image: `registry.example.org/shop/${name}:${version}` }],
          },
        },
      },
    },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { version } },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name },
      spec: { selector: { app: name }, ports: [{ name: 'http', port: 80 }] },
    },
  ];
}

/** A Job for a gate: ends well; `slow` in its image takes a while, `broken` fails. */
export function gateJob(name: string, image = 'registry.example.org/shop/smoke:${version}') {
  return {
    manifest: {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name },
      spec: {
        backoffLimit: 0,
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image }] } },
      },
    },
  };
}

export interface ReleaseOptions {
  version: string;
  /** In their order; not read where there is a placement. */
  clusters: string[];
  namespace: string;
  /** Name of the service and of its objects; undefined: checkout. */
  name?: string;
  /** Of a PlacementRule, without its namespace. */
  placement?: object;
  strategy?: object;
  policy?: object;
  /** More fields of the ResourceTemplate. */
  template?: object;
  /** Changes the objects before they are released. */
  change?: (objects: object[]) => void;
}

/** Steps of a canary, as a strategy. */
export function canary(...steps: object[]) {
  return { strategy: { type: 'Canary', canary: { steps } } };
}

/** A step for each cluster; each ends when a person promotes. */
export function oneByOne(clusters: string[]) {
  return canary(...clusters.map(cluster => ({ clusters: [cluster], pause: {} })));
}

/** Another image on one cluster alone. */
export function imageOn(cluster: string, value: string) {
  const path = '/spec/template/spec/containers/0/image';
  const target = { kind: 'Deployment', name: 'checkout' };
  const patches = [{ target, patch: [{ op: 'replace', path, value }] }];
  return { overrides: [{ match: { clusters: [cluster] }, patches }] };
}

/** Pods that take seconds to be ready: so there is a middle to interrupt. */
export function slow([deployment]: object[]): void {
  const text = JSON.stringify(deployment).replace('shop/checkout:', 'shop/slow-checkout:');
  Object.assign(deployment, JSON.parse(text));
}

const API_VERSION = 'multicluster-release.io/v1';
const PARALLEL = { type: 'RollingUpdate', rollingUpdate: { mode: 'Parallel' } };

/** A release of these objects, and of one more that only version 1 has. */
export function releaseDocuments(options: ReleaseOptions): string {
  const { version, clusters, namespace, name = 'checkout', placement, template } = options;
  const { strategy = PARALLEL, policy } = options;
  const documents = [
    {
      apiVersion: API_VERSION,
      kind: 'ResourceTemplate',
      metadata: { name },
      spec: { source: { manifests: { inline: objectsOf(options) } }, ...template },
    },
    ...(placement ? [placementRule(name, { namespace, ...placement })] : []),
    {
      apiVersion: API_VERSION,
      kind: 'ClusterRelease',
      metadata: { name: 'release' },
      spec: {
        service: `component:default/${name}`,
        targetVersion: version,
        strategy,
        policy,
        ...(placement
          ? { placement: name }
          : { clusters: clusters.map(cluster => ({ name: cluster, namespace })) }),
      },
    },
  ];
  return documents.map(document => JSON.stringify(document)).join('\n---\n');
}

function objectsOf({ version, name, change = () => {} }: ReleaseOptions): object[] {
  const objects: object[] = releaseObjects(version, name);
  change(objects);
  if (version === '1.0.0') {
    objects.push({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'only-in-1' },
      data: { a: 'b' },
    });
  }
  return objects;
}

function placementRule(name: string, spec: object) {
  return { apiVersion: API_VERSION, kind: 'PlacementRule', metadata: { name }, spec };
}
