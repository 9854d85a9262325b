import {
  counted,
  fencepostsOf,
  isWeight,
  parseCount,
  podCounts,
  podCountsBeside,
  weightOf,
  weightsNear,
  type Count,
  type Finding,
  type PodRoom,
  type PodSplit,
  type WeightRule,
} from 'backstage-plugin-multicluster-release-common';
import type { ClusterClient } from '../../clusters/types';
import type { KubernetesObject } from '../../ports';
import { numberAt, recordAt, textAt, valueAt } from '../json';
import { isObserved } from '../health/workloads';
import { isScaled } from '../live/autoscalers';
import { CONTENT_ANNOTATION } from '../names';
import { idKey, idOf } from '../objectId';
import { readTarget, type TargetReading } from '../readTarget';
import { canaryCopy, isCopy, isDeployment } from './canaryCopy';
import { recordedReplicas } from './stableReplicas';

/** One Deployment of a content, and what runs there in its place. */
export interface Weighed {
  deployment: KubernetesObject;
  stable: KubernetesObject;
  copy?: KubernetesObject;
  room: PodRoom;
  /** Pods that may be missing meanwhile, resolved. */
  unavailable: number;
  /** An autoscaler sets the number of stable pods, so it is left alone. */
  autoscaled: boolean;
}

export interface WeighedTarget {
  reading: TargetReading;
  deployments: KubernetesObject[];
  /** Those that something runs beside; empty where nothing of the service runs yet. */
  weighed: Weighed[];
}

/**
 * Reads what a weight is divided between.
 *
 * @throws ClusterError
 */
export async function readWeighed(
  client: ClusterClient,
  content: { digest: string; objects: KubernetesObject[] },
  signal?: AbortSignal,
): Promise<WeighedTarget> {
  const deployments = content.objects.filter(isDeployment);
  const both = deployments.flatMap(deployment => [deployment, canaryCopy(deployment)]);
  const reading = await readTarget(client, both, signal);
  const weighed = deployments.flatMap((deployment): Weighed[] => {
    const stable = reading.live.get(idKey(idOf(deployment)));
    return stable && runsOther(stable, content.digest)
      ? [weighedOf(deployment, stable, reading)]
      : [];
  });
  return { reading, deployments, weighed };
}

/** What was brought in full, for want of anything to stand beside, is not the running version. */
export function runsOther({ metadata }: KubernetesObject, digest: string): boolean {
  return metadata.annotations?.[CONTENT_ANNOTATION] !== digest;
}

function weighedOf(
  deployment: KubernetesObject,
  stable: KubernetesObject,
  { live, scaled }: TargetReading,
): Weighed {
  const autoscaled = isScaled(deployment, scaled);
  const running = numberAt(stable, 'spec', 'replicas') ?? 1;
  const replicas = autoscaled ? running : recordedReplicas(stable) ?? running;
  const { surge, unavailable } = fencepostsOf(replicas, boundsOf(deployment));
  return {
    deployment,
    stable,
    copy: live.get(idKey(idOf(canaryCopy(deployment)))),
    room: { replicas, surge },
    unavailable,
    autoscaled,
  };
}

const DEFAULT_BOUND: Count = { percent: 25 };
const NONE: Count = { count: 0 };

/** What Kubernetes takes where the manifest says nothing. `Recreate` never has a pod too many. */
function boundsOf(deployment: KubernetesObject): { maxSurge: Count; maxUnavailable: Count } {
  if (textAt(deployment, 'spec', 'strategy', 'type') === 'Recreate') {
    return { maxSurge: NONE, maxUnavailable: NONE };
  }
  const written = recordAt(deployment, 'spec', 'strategy', 'rollingUpdate');
  return {
    maxSurge: countAt(written, 'maxSurge') ?? DEFAULT_BOUND,
    maxUnavailable: countAt(written, 'maxUnavailable') ?? DEFAULT_BOUND,
  };
}

function countAt(value: unknown, member: string): Count | undefined {
  const found = valueAt(value, member);
  return typeof found === 'number' || typeof found === 'string' ? parseCount(found) : undefined;
}

export function splitOf({ room, autoscaled }: Weighed, { percent }: WeightRule): PodSplit {
  return autoscaled ? podCountsBeside(room, percent) : podCounts(room, percent);
}

/**
 * How far the target can be taken towards a split by now: running pods go only as
 * new ones are ready in their place, but for those that may be missing in any
 * update, and there are never too many. Each time that the new pods are ready it
 * goes on, up to the split itself.
 *
 * From 4 pods to 2 and 2 (new, running), 1 above and none missing: 1 and 4, 2 and 3, 2 and 2.
 */
export function nextSplit(weighed: Weighed, { canary, stable }: PodSplit): PodSplit {
  const { room, unavailable, autoscaled } = weighed;
  if (autoscaled) {
    return { canary, stable };
  }
  const left = Math.max(stable, room.replicas - unavailable - readyPods(weighed));
  return { canary: Math.min(canary, room.replicas + room.surge - left), stable: left };
}

/** New pods that can take traffic; none where the copy's controller has not seen its newest form. */
function readyPods({ copy }: Weighed): number {
  if (!copy || !isObserved(copy)) {
    return 0;
  }
  return Math.min(
    numberAt(copy, 'status', 'availableReplicas') ?? 0,
    numberAt(copy, 'status', 'updatedReplicas') ?? 0,
  );
}

/** What stands against a weight, or what a person should know of it; undefined where it is met. */
export interface WeightTrouble {
  severity: Finding['severity'];
  code: string;
  what: string;
  params: Finding['params'];
}

export function weightTrouble(weighed: Weighed, rule: WeightRule): WeightTrouble | undefined {
  const { copy } = weighed;
  if (copy && !isCopy(copy)) {
    const { name } = copy.metadata;
    return {
      severity: 'error',
      code: 'CopyNameTaken',
      what: `cannot have a copy, since there is a Deployment ${name} already. Give that another name, or take the weight out.`,
      params: { name },
    };
  }
  const split = splitOf(weighed, rule);
  return isWeight(split, rule.percent) ? undefined : notMet(weighed, rule, split);
}

function notMet(
  { room, autoscaled }: Weighed,
  { percent, approximate }: WeightRule,
  split: PodSplit,
): WeightTrouble {
  const near = weightsNear(room, percent, { autoscaled });
  const reached = weightOf(split);
  const pods = `${counted(room.replicas, 'pod')} and up to ${room.surge} above`;
  const params = { weight: percent, replicas: room.replicas, surge: room.surge };
  if (split.canary === 0) {
    const what = `cannot have a weight of ${percent}: with ${pods} there is none for the new version. Raise replicas or maxSurge, or take the weight out.`;
    return { severity: 'error', code: 'WeightNotReachable', what, params };
  }
  return approximate
    ? {
        severity: 'warning',
        code: 'WeightApproximated',
        what: `gets a weight of ${reached} instead of ${percent}, the nearest that ${pods} can give.`,
        params: { ...params, reached },
      }
    : {
        severity: 'error',
        code: 'WeightNotReachable',
        what: `cannot have a weight of ${percent} with ${pods}; near it are ${near.join(
          ', ',
        )}. Take one of these, change replicas or maxSurge, or accept the nearest with approximate: true.`,
        params: { ...params, reachable: near.join(', ') },
      };
}
