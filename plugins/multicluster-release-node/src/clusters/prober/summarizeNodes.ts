import type { KubernetesObject } from '../../ports';
import { parseQuantity } from './parseQuantity';
import type { Amounts } from './podRequests';

export interface NodeSummary {
  nodes: { ready: number; total: number };
  /** Allocatable, summed over all nodes; undefined where a node does not tell it. */
  capacity?: Amounts;
}

interface NodeStatus {
  allocatable?: Record<string, unknown>;
  conditions?: { type?: string; status?: string }[];
}

/** Counts nodes and adds up what they can hold. An amount that cannot be read makes the sum unknown, not smaller. */
export function summarizeNodes(nodes: KubernetesObject[]): NodeSummary {
  const statuses = nodes.map(node => (node.status ?? {}) as NodeStatus);
  const ready = statuses.filter(status =>
    status.conditions?.some(condition => condition.type === 'Ready' && condition.status === 'True'),
  );
  const [cpu, memory, pods] = ['cpu', 'memory', 'pods'].map(resource =>
    sum(statuses.map(status => parseQuantity(status.allocatable?.[resource]))),
  );
  return {
    nodes: { ready: ready.length, total: nodes.length },
    capacity:
      cpu !== undefined && memory !== undefined && pods !== undefined
        ? { cpu, memory, pods }
        : undefined,
  };
}

function sum(amounts: (number | undefined)[]): number | undefined {
  let total = 0;
  for (const amount of amounts) {
    if (amount === undefined) {
      return undefined;
    }
    total += amount;
  }
  return total;
}
