import { fencepostsOf, type Fenceposts } from 'backstage-plugin-multicluster-release-common';
import {
  requestOfPod,
  type Amounts,
  type KubernetesObject,
} from 'backstage-plugin-multicluster-release-node';
import { withPods, writtenBounds } from './writtenBounds';

/** What the pods above the wanted number ask for while everything is updated at once. */
export interface SurgeNeed extends Amounts {
  /** The largest surge of one workload. */
  most: number;
  /**
   * What the old pods hold that are told to end when new ones are ready, and are
   * not gone yet: a quota counts them, and refuses at once what nodes let wait.
   */
  ending: Amounts;
}

/** @param nodes - of the cluster: a DaemonSet has a pod on each; without it its surge is not known */
export function surgeNeed(objects: KubernetesObject[], nodes: number | undefined): SurgeNeed {
  const need: SurgeNeed = { ...NOTHING, most: 0, ending: { ...NOTHING } };
  for (const object of objects) {
    const { surge, unavailable } = postsOf(object, nodes);
    const request = requestOfPod(podSpecOf(object));
    add(need, request, surge);
    add(need.ending, request, surge + unavailable);
    need.most = Math.max(need.most, surge);
  }
  return need;
}

const NOTHING: Amounts = { cpu: 0, memory: 0, pods: 0 };

function add(sum: Amounts, request: Amounts, pods: number): void {
  sum.cpu += pods * request.cpu;
  sum.memory += pods * request.memory;
  sum.pods += pods;
}

/** No workload gets more than `most` pods above its number; where that leaves it none, one may be unavailable (C29). */
export function withSurgeAtMost(
  objects: KubernetesObject[],
  most: number,
  nodes: number | undefined,
): KubernetesObject[] {
  return objects.map(object => {
    const bounds = writtenBounds(object);
    if (!bounds || postsOf(object, nodes).surge <= most) {
      return object;
    }
    const { unavailable } = fencepostsOf(replicasOf(object, nodes), {
      ...bounds,
      maxSurge: { count: most },
    });
    return withPods(object, {
      maxSurge: most,
      ...(most === 0 ? { maxUnavailable: unavailable } : {}),
    });
  });
}

function postsOf(object: KubernetesObject, nodes: number | undefined): Fenceposts {
  const bounds = writtenBounds(object);
  return bounds ? fencepostsOf(replicasOf(object, nodes), bounds) : { surge: 0, unavailable: 0 };
}

function replicasOf({ kind, spec }: KubernetesObject, nodes = 0): number {
  const { replicas } = (spec ?? {}) as { replicas?: unknown };
  if (kind === 'DaemonSet') {
    return nodes;
  }
  return typeof replicas === 'number' ? replicas : 1;
}

function podSpecOf({ spec }: KubernetesObject): object {
  const { template } = (spec ?? {}) as { template?: { spec?: object } };
  return template?.spec ?? {};
}
