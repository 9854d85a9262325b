import type { Finding, Plan } from 'backstage-plugin-multicluster-release-common';
import type { KubernetesObject } from 'backstage-plugin-multicluster-release-node';
import { checkTenancy, type TenancyQuestion } from './checkTenancy';

/** Jobs of gates are written as other objects are: where the service may write Jobs. Pure. */
export function jobTenancy(
  plan: Plan,
  { rules, owner }: Pick<TenancyQuestion, 'rules' | 'owner'>,
): Finding[] {
  const targets = new Map(plan.targets.map(target => [target.key, target]));
  return plan.stages.flatMap(stage => {
    const jobs = stage.steps.flatMap(step => step.jobs ?? []);
    return stage.targets.flatMap(key => {
      const target = targets.get(key);
      const objects = jobObjects(jobs, target?.namespace);
      const cluster = target?.cluster ?? key;
      return checkTenancy({ rules, owner, cluster, objects, clusterScopedAllowed: false });
    });
  });
}

/** What is asked about of Jobs that run in this namespace. */
export function jobObjects(
  jobs: Record<string, unknown>[],
  namespace: string | undefined,
): KubernetesObject[] {
  return jobs.map(job => ({
    apiVersion: String(job.apiVersion),
    kind: String(job.kind),
    metadata: {
      name: String((job.metadata as { name?: string } | undefined)?.name),
      namespace,
    },
  }));
}
