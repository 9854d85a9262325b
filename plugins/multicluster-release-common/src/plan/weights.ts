import type { Finding } from '../status/findings';
import type { SelectedTarget } from './selectTargets';
import type { CanaryStepSpec } from './spec';
import type { TargetKey } from './types';

/** The weight of what is not in part. */
export const FULL = 100;

/**
 * Weights of a cluster only grow: going back is what a rollback is for. A share
 * counts the clusters of earlier steps, so those that have more already are meant
 * to stay as they are.
 *
 * @param reached - per cent that each target has before this step
 */
export function fallingWeights(
  { weight, sharePercent }: CanaryStepSpec,
  path: string,
  chosen: SelectedTarget[],
  reached: ReadonlyMap<TargetKey, number>,
): Finding[] {
  if (!weight || sharePercent !== undefined) {
    return [];
  }
  return chosen.flatMap(({ key, cluster }): Finding[] => {
    const before = reached.get(key) ?? 0;
    return before > weight.percent
      ? [
          {
            severity: 'error',
            code: 'WeightFalls',
            params: { cluster, before, weight: weight.percent },
            message: `Cluster ${cluster} has a weight of ${before} by an earlier step, and this step lowers it to ${weight.percent}. Let weights grow from step to step.`,
            path: `${path}.weight`,
            cluster,
          },
        ]
      : [];
  });
}
