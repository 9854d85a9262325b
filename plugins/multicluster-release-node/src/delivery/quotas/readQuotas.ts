import type { TargetRef } from 'backstage-plugin-multicluster-release-common';
import { ClusterError } from '../../clusters/errors/ClusterError';
import { listAll } from '../../clusters/listAll';
import { parseQuantity } from '../../clusters/prober/parseQuantity';
import type { Amounts } from '../../clusters/prober/podRequests';
import type { ClusterRegistry } from '../../clusters/types';
import type { KubernetesObject } from '../../ports';
import { listAt, recordAt } from '../json';

/** What a ResourceQuota still gives; an amount that it does not bound is left out. */
export interface QuotaRoom {
  name: string;
  free: Partial<Amounts>;
}

/** Names under which a quota bounds an amount; the first that is there counts. */
const NAMES: Record<keyof Amounts, string[]> = {
  cpu: ['requests.cpu', 'cpu'],
  memory: ['requests.memory', 'memory'],
  pods: ['pods', 'count/pods'],
};

/**
 * The quotas of a target's namespace that hold for every pod. Where they cannot
 * be read (the identity may not, or the cluster does not answer) nothing is known
 * of them, which is no answer: undefined.
 */
export async function readQuotas(
  clusters: Pick<ClusterRegistry, 'get'>,
  { cluster, namespace }: TargetRef,
  signal?: AbortSignal,
): Promise<QuotaRoom[] | undefined> {
  try {
    const path = `/api/v1/namespaces/${namespace}/resourcequotas`;
    const { items } = await listAll(clusters.get(cluster), { path, signal });
    return items.filter(isForAll).map(quotaRoom);
  } catch (error) {
    if (error instanceof ClusterError) {
      return undefined;
    }
    throw error;
  }
}

/** Scopes narrow a quota to some pods; whether ours are among them only the API server knows. */
function isForAll({ spec }: KubernetesObject): boolean {
  const { scopeSelector } = (spec ?? {}) as { scopeSelector?: unknown };
  return listAt(spec, 'scopes').length === 0 && scopeSelector === undefined;
}

export function quotaRoom({ metadata, status }: KubernetesObject): QuotaRoom {
  const [hard, used] = [recordAt(status, 'hard'), recordAt(status, 'used')];
  const free: Partial<Amounts> = {};
  for (const [amount, names] of Object.entries(NAMES) as [keyof Amounts, string[]][]) {
    const name = names.find(each => hard[each] !== undefined);
    const limit = name === undefined ? undefined : parseQuantity(hard[name]);
    if (name !== undefined && limit !== undefined) {
      free[amount] = Math.max(0, limit - (parseQuantity(used[name]) ?? 0));
    }
  }
  return { name: metadata.name, free };
}
