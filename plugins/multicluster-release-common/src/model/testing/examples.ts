/** The examples of the format, whole, as an author would write them. For tests. */

export const FOUNDING_EXAMPLE = `apiVersion: operator.example.io/v1
kind: ClusterRelease
metadata: {name: release-v2}
spec:
  targetVersion: "2.0.0"
  strategy:
    type: Canary
    canary:
      clusters: [{name: cluster-a, weight: 5}, {name: cluster-b, weight: 20}]
      steps:
        - {pause: 10m, metrics: [{name: error_rate, threshold: 1.0}]}
        - {pause: 5m, metrics: [{name: p99_latency, threshold: 200}]}
    rollback: {type: BlueGreen, standbyCluster: cluster-green}
  clusters: [{name: cluster-a, namespace: production}, {name: cluster-b, namespace: production}, {name: cluster-c, namespace: production}]
`;

const HEADER = 'apiVersion: multicluster-release.io/v1';

export const TEMPLATE_EXAMPLE = `${HEADER}
kind: ResourceTemplate
metadata: {name: checkout}
spec:
  configVersion: 1.4.0            # SemVer of the configuration
  source:                         # exactly one
    manifests: {location: ./k8s, ref: "v\${version}"}
  versions: {tags: {repository: ., pattern: "v*"}}
  images:
    - {name: ghcr.io/acme/checkout, tag: "\${version}", lock: false}
  overrides:
    - match: {region: cn-east-1}
      patches: [{target: {kind: Deployment, name: checkout}, patch: {spec: {replicas: 6}}}]
      values: {}
      traffic: {traefik: {service: checkout}}
  health:
    - {target: {apiVersion: acme.io/v1, kind: Queue}, healthy: "self.status.phase == 'Ready'", failed: "self.status.phase == 'Broken'"}
  traffic:
    gatewayApi: {route: checkout, service: checkout}
  globalTraffic:
    gatewayApi: {cluster: edge, namespace: edge, route: checkout, backends: {cluster-a: checkout-a, cluster-b: checkout-b, cluster-c: checkout-c, cluster-green: checkout-green}}
  metrics:
    - {name: error_rate, prometheus: {address: "http://prometheus:9090", query: "sum(rate(e{c='{{cluster}}',n='{{namespace}}',v='{{version}}',s='{{stableVersion}}'}[{{window}}]))", countQuery: "sum(r)"}, interval: 30s, window: 1m, count: 5, initialDelay: 1m, unit: "%", max: 1.0, noData: hold, compare: {with: stable, maxIncrease: 50%}}
    - {name: p99_latency, prometheus: {query: "histogram_quantile(0.99, d{v='{{version}}'})"}, unit: ms}
    - {name: ready, web: {url: "https://ready.acme.io/{{version}}", jsonPath: $.value}, min: 1}
    - {name: smoke, job: {manifest: {apiVersion: batch/v1, kind: Job}}}
    - {name: queues, cel: {target: {kind: Queue}, expression: self.status.ready}}
  ignoreDifferences: [{group: apps, kind: Deployment, pointers: [/spec/replicas]}]
  drift: {mode: report, interval: 5m, except: []}
  replace: []
  pruneAlso: []
  dependsOn: [{service: component:default/config, version: ">=1.4", on: same}]
`;

function templateWith(source: string): string {
  return `${HEADER}
kind: ResourceTemplate
metadata: {name: checkout}
spec:
  source: ${source}
`;
}

export const SOURCE_EXAMPLES = {
  inline: templateWith(
    '{manifests: {inline: [{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}}]}}',
  ),
  kustomize: templateWith('{kustomize: {location: ./overlays/base}}'),
  'helm chart in a registry': templateWith(
    '{helm: {chart: oci://registry/charts/checkout, version: "${version}", values: {replicas: 2}, valuesFiles: [./values.yaml]}}',
  ),
  'helm chart in a repository': templateWith(
    '{helm: {chart: {repo: https://charts.acme.io, name: checkout}}}',
  ),
  'operator from manifests': templateWith(
    '{operator: {manifests: {location: ./operator}, crds: ./crds, standby: {patch: {spec: {replicas: 0}}}, active: {patch: {spec: {replicas: 1}}}}}',
  ),
  'operator from a catalog': templateWith(
    '{operator: {olm: {package: queue, channel: stable, source: acme}}}',
  ),
};

export const PLACEMENT_EXAMPLE = `${HEADER}
kind: PlacementRule
metadata: {name: checkout}
spec:
  select: {labels: {matchLabels: {tier: prod}, matchExpressions: [{key: env, operator: In, values: [prod, staging]}]}, regions: [cn-east-1], kubernetesVersion: ">=1.30", clusters: [], exclude: []}
  namespace: production
  groups:
    - {name: canary, match: {labels: {env: staging}}}
    - {name: gray, match: {labels: {ring: gray}}}
    - {name: production, match: {}}
`;

export const POLICY_EXAMPLE = `${HEADER}
kind: DistributionPolicy
metadata: {name: careful}
spec:
  sync: Push
  order: {by: groups}
  maxConcurrency: 30%
  maxUnavailable: 1
  timeout: 15m
  retries: 1
  maxFailures: 0
  onFailure: RollbackTouched
  onNewer: Queue
  offline: {policy: Wait, after: 10m}
  joining: NextRelease
  adapt: false
  prune: true
  windows: [{cron: "0 9 * * 1-5", duration: 8h, timeZone: Asia/Shanghai, kind: allow}]
`;

export function releaseWith(strategy: string, more = ''): string {
  return `${HEADER}
kind: ClusterRelease
metadata: {name: checkout-2}
spec:
  service: component:default/checkout
  targetVersion: 2.1.0
  placement: checkout
${more}  strategy:
${strategy
  .split('\n')
  .map(line => `    ${line}`)
  .join('\n')}
`;
}

export const CANARY_EXAMPLE = releaseWith(
  `type: Canary
canary:
  steps:
    - {group: canary, weight: 10, pause: 10m, metrics: [{name: error_rate, threshold: 1.0, interval: 30s, failureLimit: 2, consecutiveErrorLimit: 4, minSamples: 100}]}
    - {group: canary, pause: 30m, approval: {required: 2, from: [group:default/sre], selfApproval: false, expires: 24h, when: after}, jobs: [{manifest: {apiVersion: batch/v1, kind: Job, metadata: {name: smoke}, spec: {template: {spec: {restartPolicy: Never, containers: [{name: smoke, image: "ghcr.io/acme/smoke:\${version}"}]}}}}}], stabilize: 5m}
    - {clusters: [cluster-d], pause: 5m, approximate: true}
    - {share: 10%, pause: 10m}
    - {share: 30%, pause: 10m}
    - {share: 100%}
rollback: {on: [HealthFailed, MetricFailed, Timeout], type: Restore}`,
  '  template: checkout\n  policy: careful\n',
);

export const ROLLING_EXAMPLES = {
  parallel: releaseWith(
    'type: RollingUpdate\nrollingUpdate: {mode: Parallel, maxSurge: 25%, maxUnavailable: 0, stabilize: 5m}',
  ),
  serial: releaseWith('type: RollingUpdate\nrollingUpdate: {mode: Serial}'),
  'by groups': releaseWith('type: RollingUpdate\nrollingUpdate: {mode: Batched, batches: groups}'),
  'by size': releaseWith('type: RollingUpdate\nrollingUpdate: {mode: Batched, batches: 25%}'),
  'by number': releaseWith('type: RollingUpdate\nrollingUpdate: {mode: Batched, batches: 3}'),
  'by shares': releaseWith(
    'type: RollingUpdate\nrollingUpdate: {mode: Batched, batches: [20%, 50%, 100%]}',
  ),
};

export const BLUE_GREEN_EXAMPLES = {
  'by namespace': releaseWith(`type: BlueGreen
blueGreen:
  scope: Namespace
  namespaces: {blue: production, green: production-green}
  previewChecks: [{name: smoke, job: {manifest: {kind: Job}}}]
  verify: {for: 10m, metrics: [{name: error_rate, threshold: 1}], jobs: [{manifest: {kind: Job}}]}
  keepBlue: 1h
  approval: {required: 1}
  data: {crds: compatible, wait: self.status.synced}`),
  'by cluster': releaseWith(`type: BlueGreen
blueGreen: {scope: Cluster, blue: [cluster-a], green: [cluster-green]}
rollback: {type: BlueGreen, standbyCluster: cluster-a, keepStandby: 1h}`),
};

export const ALL_EXAMPLES: Record<string, string> = {
  founding: FOUNDING_EXAMPLE,
  template: TEMPLATE_EXAMPLE,
  placement: PLACEMENT_EXAMPLE,
  policy: POLICY_EXAMPLE,
  canary: CANARY_EXAMPLE,
  ...SOURCE_EXAMPLES,
  ...ROLLING_EXAMPLES,
  ...BLUE_GREEN_EXAMPLES,
};
