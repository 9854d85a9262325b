import { counted } from 'backstage-plugin-multicluster-release-common';
import type { KubernetesObject } from '../../ports';
import { isRecord, listAt, numberAt, recordAt, textAt } from '../json';
import { conditionOf } from './conditions';

/** Why a pod does not come up. */
export interface PodTrouble {
  reason: string;
  message: string;
  restarts: number;
  /** Since when, as far as the pod itself tells; epoch milliseconds. */
  since?: number;
}

const FAILING: ReadonlySet<string> = new Set([
  'CrashLoopBackOff',
  'ImagePullBackOff',
  'ErrImagePull',
  'InvalidImageName',
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
]);

/** The first container that is in a failing state; undefined where none is. */
export function podTrouble(pod: KubernetesObject): PodTrouble | undefined {
  const statuses = [
    ...listAt(pod, 'status', 'initContainerStatuses'),
    ...listAt(pod, 'status', 'containerStatuses'),
  ].filter(isRecord);
  for (const status of statuses) {
    const trouble = containerTrouble(pod, status);
    if (trouble) {
      return trouble;
    }
  }
  return undefined;
}

/** `Unschedulable` and why, while the pod waits for a node. */
export function unschedulable(pod: KubernetesObject): string | undefined {
  const condition = conditionOf(pod, 'PodScheduled');
  return condition?.status === 'False' ? condition.message ?? condition.reason : undefined;
}

export function isPodReady(pod: KubernetesObject): boolean {
  return conditionOf(pod, 'Ready')?.status === 'True';
}

function containerTrouble(
  pod: KubernetesObject,
  status: Record<string, unknown>,
): PodTrouble | undefined {
  const waiting = recordAt(status, 'state', 'waiting');
  const reason = textAt(waiting, 'reason');
  const exitCode = numberAt(status, 'state', 'terminated', 'exitCode');
  const failing = reason !== undefined && FAILING.has(reason);
  // Between two back-offs a container is briefly terminated; that is the same trouble.
  const crashed = exitCode !== undefined && exitCode !== 0;
  if (!failing && !crashed) {
    return undefined;
  }
  const word = reason ?? textAt(status, 'state', 'terminated', 'reason') ?? 'Error';
  const restarts = numberAt(status, 'restartCount') ?? 0;
  const detail = textAt(waiting, 'message') ?? textAt(status, 'state', 'terminated', 'message');
  const finishedAt = Date.parse(textAt(status, 'lastState', 'terminated', 'finishedAt') ?? '');
  return {
    reason: word,
    restarts,
    message: `pod ${pod.metadata.name}: container ${status.name}: ${word}${
      restarts > 0 ? `, ${counted(restarts, 'restart')}` : ''
    }${detail ? `: ${detail}` : ''}`,
    ...(failing && Number.isFinite(finishedAt) && { since: finishedAt }),
  };
}
