export function deployment(
  members: {
    name?: string;
    replicas?: number;
    image?: string;
    containers?: object[];
    more?: object;
  } = {},
) {
  const {
    name = 'web',
    image = 'img:1',
    containers = [{ name: 'main', image }],
    replicas,
    more,
  } = members;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      ...(replicas !== undefined && { replicas }),
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers } },
      ...more,
    },
  };
}

export function configMap(
  name: string,
  data: Record<string, unknown> = { a: 'b' },
  metadata: object = {},
) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data };
}

export function budget(name: string) {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name },
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
  };
}
