import type { FleetCluster, PolicySpec, ReleaseSpec, StrategySpec } from './spec';

/** A fleet and specs for tests of this folder. */
export const FLEET: FleetCluster[] = [
  { name: 'a', labels: { env: 'staging' }, region: 'eu', kubernetesVersion: 'v1.36.3' },
  {
    name: 'b',
    labels: { ring: 'gray', priority: '2' },
    region: 'eu',
    kubernetesVersion: 'v1.30.1-eks-1',
  },
  { name: 'c', labels: { priority: '1' }, region: 'cn', kubernetesVersion: 'v1.29.0' },
  { name: 'd', labels: {}, region: 'cn', kubernetesVersion: undefined },
];

export const POLICY: PolicySpec = {
  order: { by: 'groups' },
  timeoutMilliseconds: 600_000,
  retries: 0,
  maxFailures: 0,
  onFailure: 'RollbackTouched',
  onNewer: 'Queue',
  offline: { policy: 'Wait', afterMilliseconds: 600_000 },
  prune: true,
};

export function specOf(strategy: StrategySpec, policy: Partial<PolicySpec> = {}): ReleaseSpec {
  return {
    service: 'component:default/checkout',
    targetVersion: '2.0.0',
    strategy,
    placement: {
      kind: 'rule',
      name: 'checkout',
      select: {},
      namespace: 'production',
      groups: [
        { name: 'canary', match: { matchLabels: { env: 'staging' } } },
        { name: 'gray', match: { matchLabels: { ring: 'gray' } } },
        { name: 'production', match: {} },
      ],
      ungrouped: 'refuse',
    },
    policy: { ...POLICY, ...policy },
    rollbackOn: ['HealthFailed', 'MetricFailed', 'Timeout'],
    pruneAlso: [],
  };
}
