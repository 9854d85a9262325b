import {
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
  return {
    deployment,
    stable,
    copy: live.get(idKey(idOf(canaryCopy(deployment)))),
    room: { replicas, surge: fencepostsOf(replicas, boundsOf(deployment)).surge },
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
  const pods = `${room.replicas} pod(s) and up to ${room.surge} above`;
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
