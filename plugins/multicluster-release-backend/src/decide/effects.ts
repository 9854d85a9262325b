import type { Effect, ObserveRequest } from 'backstage-plugin-multicluster-release-node';
import type { PlanTarget, TargetKey } from 'backstage-plugin-multicluster-release-common';
import { evidenceOf } from './evidence';
import { currentStep, isWeighted, planOf, wake, type Turn } from './turn';
import type { TargetRun } from './types';

const WORKING = new Set(['Applying', 'Verifying', 'Soaking', 'RollingBack', 'RollbackPending']);

export function planTarget(turn: Turn, target: TargetRun): PlanTarget {
  const found = planOf(turn.run, target).targets.find(({ key }) => key === target.key);
  if (!found) {
    throw new Error(`Release ${turn.run.id}: plan ${target.plan} has no target ${target.key}`);
  }
  return found;
}

/** The effect that the target's current step asks for, or undefined where it waits. */
export function expectedEffect(turn: Turn, target: TargetRun): Effect | undefined {
  const step = currentStep(turn.run, target);
  if (!step || !WORKING.has(target.state)) {
    return undefined;
  }
  const { instruction } = step;
  if (
    instruction !== 'check' &&
    instruction !== 'apply' &&
    instruction !== 'weight' &&
    instruction !== 'analyse' &&
    instruction !== 'remove'
  ) {
    return undefined;
  }
  if ((instruction === 'apply' || instruction === 'weight') && target.writtenAt === undefined) {
    // Not on record yet: the next walk writes it down.
    return undefined;
  }
  const plan = planOf(turn.run, target);
  const { to, from } = planTarget(turn, target);
  const { ticket } = turn.inputs;
  return {
    id: `${plan.number}/${target.key}/${instruction}/${target.tries ?? 0}/${ticket}`,
    kind: instruction,
    target: { cluster: target.cluster, namespace: target.namespace },
    key: target.key,
    stamp: {
      service: turn.run.service,
      sequence: target.sequence ?? turn.run.sequences[plan.number],
      ticket,
    },
    digest: to?.digest,
    fromDigest: from?.digest,
    inventory: target.inventory,
    pruneAlso: plan.rules.pruneAlso,
    prune: plan.rules.prune,
    acceptedRisks: target.acceptedRisks,
    ...(step.weight ? { weight: step.weight } : {}),
    ...(step.jobs ? { jobs: step.jobs } : {}),
  };
}

/** What runs there and may not go on. */
export function haltedTargets(turn: Turn): TargetKey[] {
  return turn.run.targets
    .filter(target => target.stoppedSince !== undefined && turn.inputs.inFlight.has(target.key))
    .map(({ key }) => key);
}

/** Effects to start now: at most one per target, and none before its time. */
export function dueEffects(turn: Turn): Effect[] {
  return turn.run.targets.flatMap(target => {
    const effect = expectedEffect(turn, target);
    if (
      !effect ||
      turn.inputs.inFlight.has(target.key) ||
      // Nothing is written, and a check would only have to be made again.
      target.stoppedSince !== undefined
    ) {
      return [];
    }
    if (effect.kind === 'remove' && !mayRemove(turn, target)) {
      return [];
    }
    if (target.retryAt !== undefined && target.retryAt > turn.now) {
      wake(turn, target.retryAt);
      return [];
    }
    return [effect];
  });
}

/** Nothing is removed without a healthy replacement, seen now; where nothing shall be left there is none. */
function mayRemove(turn: Turn, target: TargetRun): boolean {
  return planTarget(turn, target).to === undefined || evidenceOf(turn, target) === 'healthy';
}

/**
 * Every target that this release wrote to is watched until the release is final,
 * its pending ones longer; and whichever does not answer, to see its return.
 */
export function observeRequests(turn: Turn, final: boolean): ObserveRequest[] {
  return turn.run.targets
    .filter(
      target =>
        (target.touched || target.unreachableSince !== undefined) && !(final && settled(target)),
    )
    .map(target => ({
      target: { cluster: target.cluster, namespace: target.namespace },
      key: target.key,
      service: turn.run.service,
      digest: planTarget(turn, target).to?.digest,
      weighted: isWeighted(turn.run, target) ? true : undefined,
      writtenAt: target.writtenAt,
    }));
}

function settled(target: TargetRun): boolean {
  return !WORKING.has(target.state) && target.state !== 'Offline';
}
