import type { Finding } from '../../status/findings';
import type { ClusterRelease } from '../release/ClusterRelease';

/** Where steps and clusters of the founding form do not pair up, the preview says what happens. */
export function foundingFindings({ spec }: ClusterRelease): Finding[] {
  const { clusters, steps = [] } = spec.strategy.canary ?? {};
  if (!clusters || clusters.length === steps.length) {
    return [];
  }
  if (steps.length > clusters.length) {
    return [
      {
        severity: 'info',
        code: 'StepsWatchAll',
        params: { steps: steps.length, clusters: clusters.length },
        message: `There are ${steps.length} steps for ${clusters.length} canary clusters: the later steps watch all of them.`,
        path: `spec.strategy.canary.steps[${clusters.length}]`,
      },
    ];
  }
  const rest = clusters
    .slice(steps.length)
    .map(cluster => cluster.name)
    .join(', ');
  return [
    {
      severity: 'info',
      code: 'ClustersJoinAtPromotion',
      params: { clusters: rest },
      message: `There are ${steps.length} steps for ${clusters.length} canary clusters: ${rest} join at the promotion.`,
      path: `spec.strategy.canary.clusters[${steps.length}]`,
    },
  ];
}
