import type { KubernetesObject } from '../../ports';
import { parseQuantity } from './parseQuantity';

/** Cores, bytes, and a count. */
export interface Amounts {
  cpu: number;
  memory: number;
  pods: number;
}

interface Container {
  restartPolicy?: string;
  resources?: { requests?: Record<string, unknown> };
}

interface PodSpec {
  nodeName?: string;
  containers?: Container[];
  initContainers?: Container[];
  overhead?: Record<string, unknown>;
  resources?: { requests?: Record<string, unknown> };
}

/**
 * What pods hold of the capacity of their nodes. A pod that has no node yet, or
 * has ended, holds nothing.
 */
export function sumRequests(pods: KubernetesObject[]): Amounts {
  const sum: Amounts = { cpu: 0, memory: 0, pods: 0 };
  for (const pod of pods) {
    const spec = pod.spec as PodSpec | undefined;
    const { phase } = (pod.status ?? {}) as { phase?: string };
    if (spec?.nodeName && phase !== 'Succeeded' && phase !== 'Failed') {
      sum.cpu += podRequest(spec, 'cpu');
      sum.memory += podRequest(spec, 'memory');
      sum.pods += 1;
    }
  }
  return sum;
}

/** What one pod of this spec asks for. */
export function requestOfPod(spec: object): Amounts {
  return { cpu: podRequest(spec, 'cpu'), memory: podRequest(spec, 'memory'), pods: 1 };
}

/**
 * As the scheduler counts: the larger of what runs together in the end and what
 * any init container needs beside the sidecars started before it. Sidecars are
 * init containers that are always restarted. For example app 300m, sidecar
 * 100m, then an init container of 500m: max(300 + 100, 500 + 100) = 600m.
 */
function podRequest(spec: PodSpec, resource: 'cpu' | 'memory'): number {
  const overhead = parseQuantity(spec.overhead?.[resource]) ?? 0;
  const ofPod = parseQuantity(spec.resources?.requests?.[resource]);
  if (ofPod !== undefined) {
    return ofPod + overhead;
  }
  let sidecars = 0;
  let starting = 0;
  for (const container of spec.initContainers ?? []) {
    const amount = containerRequest(container, resource);
    if (container.restartPolicy === 'Always') {
      sidecars += amount;
      starting = Math.max(starting, sidecars);
    } else {
      starting = Math.max(starting, sidecars + amount);
    }
  }
  const running = (spec.containers ?? []).reduce(
    (sum, container) => sum + containerRequest(container, resource),
    sidecars,
  );
  return Math.max(running, starting) + overhead;
}

function containerRequest(container: Container, resource: string): number {
  return parseQuantity(container.resources?.requests?.[resource]) ?? 0;
}
