import type { KubernetesObject } from '../../ports';
import { newPods } from './newPods';
import { podTrouble, unschedulable } from './podTrouble';
import type { HealthEvidence, Verdict } from './types';

/** A pod of the new revision that has been failing for so long is a failure (design rule 4.4). Never scaled. */
export const FAILING_MILLISECONDS = 20_000;
/** So is one that fails after so many restarts. */
export const FAILING_RESTARTS = 3;

/** `Failed` where a pod of the new revision cannot start; undefined where none is known to. */
export function newPodFailure(
  workload: KubernetesObject,
  evidence: HealthEvidence,
): Verdict | undefined {
  for (const pod of newPods(workload, evidence)) {
    const trouble = podTrouble(pod);
    if (
      trouble &&
      isLasting(trouble.restarts, sinceOf(pod, trouble.since, evidence), evidence.now)
    ) {
      return {
        state: 'Failed',
        reason: trouble.reason,
        message: trouble.message,
      };
    }
  }
  return undefined;
}

/** What a person should read while it goes on: the first pod that has a trouble or no node. */
export function newPodMessage(
  workload: KubernetesObject,
  evidence: HealthEvidence,
): Pick<Verdict, 'reason' | 'message'> {
  for (const pod of newPods(workload, evidence)) {
    const trouble = podTrouble(pod);
    if (trouble) {
      return { reason: trouble.reason, message: trouble.message };
    }
    const message = unschedulable(pod);
    if (message) {
      return {
        reason: 'Unschedulable',
        message: `pod ${pod.metadata.name}: no node takes it: ${message}`,
      };
    }
  }
  return {};
}

function sinceOf(
  pod: KubernetesObject,
  told: number | undefined,
  evidence: HealthEvidence,
): number {
  const seen = evidence.failingSince?.get(pod.metadata.uid ?? '') ?? evidence.now;
  return Math.min(seen, told ?? seen);
}

function isLasting(restarts: number, since: number, now: number): boolean {
  return restarts >= FAILING_RESTARTS || now - since >= FAILING_MILLISECONDS;
}
