import type { KubernetesObject } from '../../ports';
import { numberAt, textAt, valueAt } from '../json';
import { changedAt, conditionOf, isNewer, type Condition } from './conditions';
import { FAILING_MILLISECONDS, newPodFailure, newPodMessage } from './newPodFailure';
import { newReplicaSet } from './newPods';
import type { HealthEvidence, Verdict } from './types';

/**
 * - observedGeneration first: before it, the status belongs to an earlier spec;
 * - failures only where they are newer than our write or of its own ReplicaSet;
 * - then: all updated, no surplus of old pods, all available (C04).
 */
export function assessDeployment(deployment: KubernetesObject, evidence: HealthEvidence): Verdict {
  const total = numberAt(deployment, 'spec', 'replicas') ?? 1;
  const updated = numberAt(deployment, 'status', 'updatedReplicas') ?? 0;
  const replicas = numberAt(deployment, 'status', 'replicas') ?? 0;
  const available = numberAt(deployment, 'status', 'availableReplicas') ?? 0;
  const old = Math.max(0, replicas - updated);
  // While old pods are there too, only the new ReplicaSet says how many of the ready ones are new.
  const fresh = numberAt(
    newReplicaSet(deployment, evidence.replicaSets),
    'status',
    'availableReplicas',
  );
  const ready = old > 0 ? fresh ?? Math.max(0, available - old) : Math.min(available, updated);
  const counts = { ready, total };
  if (!isObserved(deployment)) {
    return {
      state: 'Progressing',
      reason: 'NotObserved',
      message: 'its controller has not looked at the new version yet',
      ready: 0,
      total,
    };
  }
  const failure = deploymentFailure(deployment, evidence) ?? newPodFailure(deployment, evidence);
  if (failure) {
    return { ...failure, ...counts };
  }
  if (updated < total) {
    const paused = valueAt(deployment, 'spec', 'paused') === true;
    const message = paused
      ? 'is paused (spec.paused), so its pods are not updated'
      : `${updated} of ${total} pods updated`;
    return going(deployment, evidence, counts, message);
  }
  if (old > 0) {
    const pods = old === 1 ? '1 old pod is' : `${old} old pods are`;
    return going(deployment, evidence, counts, `${pods} still there`);
  }
  return available < total
    ? going(deployment, evidence, counts, `${available} of ${total} pods available`)
    : { state: 'Healthy', ...counts };
}

export function assessReplicaSet(replicaSet: KubernetesObject, evidence: HealthEvidence): Verdict {
  const total = numberAt(replicaSet, 'spec', 'replicas') ?? 1;
  const replicas = numberAt(replicaSet, 'status', 'replicas') ?? 0;
  const ready = numberAt(replicaSet, 'status', 'availableReplicas') ?? 0;
  return assessCounts(replicaSet, evidence, { ready, total }, replicas === total && ready >= total);
}

export function assessStatefulSet(
  statefulSet: KubernetesObject,
  evidence: HealthEvidence,
): Verdict {
  const total = numberAt(statefulSet, 'spec', 'replicas') ?? 1;
  const ready = numberAt(statefulSet, 'status', 'readyReplicas') ?? 0;
  const updated = numberAt(statefulSet, 'status', 'updatedReplicas') ?? 0;
  // With a partition only the pods from it upwards are meant to be updated.
  const partition =
    numberAt(statefulSet, 'spec', 'updateStrategy', 'rollingUpdate', 'partition') ?? 0;
  const onDelete = textAt(statefulSet, 'spec', 'updateStrategy', 'type') === 'OnDelete';
  const wanted = Math.max(0, total - partition);
  const rolled = onDelete || updated >= wanted;
  return assessCounts(
    statefulSet,
    evidence,
    { ready: Math.min(ready, partition + updated), total },
    rolled && ready >= total,
  );
}

export function assessDaemonSet(daemonSet: KubernetesObject, evidence: HealthEvidence): Verdict {
  const total = numberAt(daemonSet, 'status', 'desiredNumberScheduled') ?? 0;
  const available = numberAt(daemonSet, 'status', 'numberAvailable') ?? 0;
  const updated = numberAt(daemonSet, 'status', 'updatedNumberScheduled') ?? 0;
  const onDelete = textAt(daemonSet, 'spec', 'updateStrategy', 'type') === 'OnDelete';
  const rolled = onDelete || updated >= total;
  return assessCounts(
    daemonSet,
    evidence,
    { ready: Math.min(available, updated), total },
    rolled && available >= total,
  );
}

/** True where the status is about the spec as it is now. */
export function isObserved(object: KubernetesObject): boolean {
  const generation = object.metadata.generation ?? 0;
  return (numberAt(object, 'status', 'observedGeneration') ?? 0) >= generation;
}

function assessCounts(
  workload: KubernetesObject,
  evidence: HealthEvidence,
  counts: { ready: number; total: number },
  complete: boolean,
): Verdict {
  if (!isObserved(workload)) {
    return {
      state: 'Progressing',
      reason: 'NotObserved',
      message: 'its controller has not looked at the new version yet',
      ready: 0,
      total: counts.total,
    };
  }
  const failure = replicaFailure(workload, evidence) ?? newPodFailure(workload, evidence);
  if (failure) {
    return { ...failure, ...counts };
  }
  return complete
    ? { state: 'Healthy', ...counts }
    : going(
        workload,
        evidence,
        counts,
        `${counts.ready} of ${counts.total} pods updated and ready`,
      );
}

function going(
  workload: KubernetesObject,
  evidence: HealthEvidence,
  counts: { ready: number; total: number },
  message: string,
): Verdict {
  return {
    state: 'Progressing',
    message,
    ...newPodMessage(workload, evidence),
    ...counts,
  };
}

function deploymentFailure(
  deployment: KubernetesObject,
  evidence: HealthEvidence,
): Verdict | undefined {
  const progressing = conditionOf(deployment, 'Progressing');
  if (
    progressing?.status === 'False' &&
    progressing.reason === 'ProgressDeadlineExceeded' &&
    isNewer(progressing, evidence.writtenAt)
  ) {
    return lasts(progressing, evidence) ? failed(progressing) : shown(progressing);
  }
  const replicaSet = newReplicaSet(deployment, evidence.replicaSets);
  return (
    replicaFailure(deployment, evidence) ?? (replicaSet && ownReplicaFailure(replicaSet, evidence))
  );
}

/**
 * Quota, or a missing account: shown at once, and a failure once it lasts. Old
 * pods that are still ending count in a quota, and that passes by itself.
 */
function replicaFailure(workload: KubernetesObject, evidence: HealthEvidence): Verdict | undefined {
  const condition = conditionOf(workload, 'ReplicaFailure');
  if (condition?.status !== 'True' || !isNewer(condition, evidence.writtenAt)) {
    return undefined;
  }
  return lasts(condition, evidence) ? failed(condition) : shown(condition);
}

/**
 * A try that changes nothing leaves the conditions of the one before: they count
 * only once they have outlasted it.
 */
function lasts(condition: Condition, { askedAt = 0, now }: HealthEvidence): boolean {
  return now - Math.max(changedAt(condition), askedAt) >= FAILING_MILLISECONDS;
}

function shown({ reason, message }: Condition): Verdict {
  return { state: 'Progressing', reason, message };
}

/** A ReplicaSet that our write made cannot have an older failure, even within the same second. */
function ownReplicaFailure(
  replicaSet: KubernetesObject,
  evidence: HealthEvidence,
): Verdict | undefined {
  const createdAt = Date.parse(textAt(replicaSet, 'metadata', 'creationTimestamp') ?? '');
  const isOwn = createdAt >= Math.floor((evidence.writtenAt ?? 0) / 1_000) * 1_000;
  return replicaFailure(replicaSet, isOwn ? { ...evidence, writtenAt: undefined } : evidence);
}

function failed({ reason, message }: Condition): Verdict {
  return { state: 'Failed', reason, message };
}
