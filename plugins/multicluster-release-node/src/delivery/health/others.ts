import type { KubernetesObject } from '../../ports';
import { isRecord, numberAt, textAt, valueAt } from '../json';
import { conditionOf, conditionsOf, isNewer, type Condition } from './conditions';
import { FAILING_MILLISECONDS, FAILING_RESTARTS } from './newPodFailure';
import { isPodReady, podTrouble, unschedulable } from './podTrouble';
import type { HealthEvidence, Verdict } from './types';

export function assessPod(pod: KubernetesObject, evidence: HealthEvidence): Verdict {
  const phase = textAt(pod, 'status', 'phase');
  if (isPodReady(pod) || phase === 'Succeeded') {
    return { state: 'Healthy', ready: 1, total: 1 };
  }
  const counts = { ready: 0, total: 1 };
  if (phase === 'Failed') {
    return {
      state: 'Failed',
      reason: textAt(pod, 'status', 'reason') ?? 'PodFailed',
      message: textAt(pod, 'status', 'message'),
      ...counts,
    };
  }
  const trouble = podTrouble(pod);
  if (!trouble) {
    return {
      state: 'Progressing',
      message: unschedulable(pod) ?? 'is not ready yet',
      ...counts,
    };
  }
  const since = evidence.failingSince?.get(pod.metadata.uid ?? '') ?? evidence.now;
  const lasting =
    trouble.restarts >= FAILING_RESTARTS ||
    evidence.now - Math.min(since, trouble.since ?? since) >= FAILING_MILLISECONDS;
  return {
    state: lasting ? 'Failed' : 'Progressing',
    reason: trouble.reason,
    message: trouble.message,
    ...counts,
  };
}

export function assessJob(job: KubernetesObject, { writtenAt }: HealthEvidence): Verdict {
  if (
    conditionOf(job, 'Complete')?.status === 'True' ||
    conditionOf(job, 'SuccessCriteriaMet')?.status === 'True'
  ) {
    return { state: 'Healthy' };
  }
  const failed = conditionOf(job, 'Failed');
  if (failed?.status === 'True') {
    return isNewer(failed, writtenAt)
      ? { state: 'Failed', reason: failed.reason, message: failed.message }
      : {
          state: 'Progressing',
          reason: failed.reason,
          message: 'had failed before this write and does not run again',
        };
  }
  if (valueAt(job, 'spec', 'suspend') === true) {
    return { state: 'Healthy', message: 'is suspended' };
  }
  const succeeded = numberAt(job, 'status', 'succeeded') ?? 0;
  return {
    state: 'Progressing',
    message: `${succeeded} of ${numberAt(job, 'spec', 'completions') ?? 1} completed`,
  };
}

export function assessVolumeClaim(claim: KubernetesObject): Verdict {
  const phase = textAt(claim, 'status', 'phase');
  if (phase === 'Bound') {
    return { state: 'Healthy' };
  }
  return phase === 'Lost'
    ? { state: 'Failed', reason: 'VolumeLost', message: 'its volume is lost' }
    : { state: 'Progressing', message: 'is not bound to a volume yet' };
}

export function assessDefinition(
  definition: KubernetesObject,
  { writtenAt }: HealthEvidence,
): Verdict {
  const names = conditionOf(definition, 'NamesAccepted');
  if (names?.status === 'False' && isNewer(names, writtenAt)) {
    return { state: 'Failed', reason: names.reason, message: names.message };
  }
  return conditionOf(definition, 'Established')?.status === 'True'
    ? { state: 'Healthy' }
    : { state: 'Progressing', message: 'is not established yet' };
}

export function assessNamespace(namespace: KubernetesObject): Verdict {
  return textAt(namespace, 'status', 'phase') === 'Terminating'
    ? { state: 'Progressing', message: 'is being deleted' }
    : { state: 'Healthy' };
}

/** Conditions by which kinds commonly say that all is well, the first one that is there counts. */
const GOOD_CONDITIONS = ['Ready', 'Available', 'Healthy', 'Accepted', 'Programmed', 'Established'];

/**
 * Any kind that reports by conditions. Without a status nothing is known, which
 * is never success (C26).
 */
export function assessByConditions(object: KubernetesObject, evidence: HealthEvidence): Verdict {
  if (!isRecord(object.status) || Object.keys(object.status).length === 0) {
    return evidence.awaited === false
      ? {
          state: 'Unknown',
          reason: 'NeverReports',
          message: 'has no status, so nothing is known about it',
        }
      : {
          state: 'Progressing',
          reason: 'NoStatus',
          message: 'its controller has not reported yet',
        };
  }
  const observed = numberAt(object, 'status', 'observedGeneration');
  if (observed !== undefined && observed < (object.metadata.generation ?? 0)) {
    return {
      state: 'Progressing',
      reason: 'NotObserved',
      message: 'its controller has not looked at the new version yet',
    };
  }
  const stalled = conditionOf(object, 'Stalled');
  if (
    stalled?.status === 'True' &&
    isCurrent(stalled, object) &&
    isNewer(stalled, evidence.writtenAt)
  ) {
    return {
      state: 'Failed',
      reason: stalled.reason,
      message: stalled.message,
    };
  }
  return byGoodCondition(object);
}

function byGoodCondition(object: KubernetesObject): Verdict {
  const good = GOOD_CONDITIONS.map(type => conditionOf(object, type)).find(
    condition => condition !== undefined,
  );
  if (!good) {
    // A status without any known condition: the controller has looked, and has nothing to complain about in a form that we know.
    return conditionsOf(object).length === 0 &&
      numberAt(object, 'status', 'observedGeneration') !== undefined
      ? { state: 'Healthy' }
      : {
          state: 'Unknown',
          reason: 'NoKnownCondition',
          message: 'reports no condition that says whether it is ready',
        };
  }
  if (!isCurrent(good, object)) {
    return {
      state: 'Progressing',
      reason: 'NotObserved',
      message: `its condition ${good.type} is about an earlier version`,
    };
  }
  return good.status === 'True'
    ? { state: 'Healthy' }
    : {
        state: 'Progressing',
        reason: good.reason,
        message: good.message ?? `its condition ${good.type} is ${good.status}`,
      };
}

function isCurrent(condition: Condition, object: KubernetesObject): boolean {
  return (
    condition.observedGeneration === undefined ||
    condition.observedGeneration >= (object.metadata.generation ?? 0)
  );
}
