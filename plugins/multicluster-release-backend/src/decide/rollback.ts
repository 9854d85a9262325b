import {
  counted,
  compileRollback,
  type ContentRef,
  type RollbackTarget,
} from 'backstage-plugin-multicluster-release-common';
import { withEarlier } from './inventory';
import { sha256 } from './sha256';
import {
  beginPhase,
  forwardPlan,
  isPutBack,
  releaseEvent,
  stageOf,
  targetEvent,
  type Turn,
} from './turn';
import { moveTarget } from './move';
import type { ReleaseRun, TargetRun } from './types';

type RollbackOrder = NonNullable<ReleaseRun['rollback']>;

/** Sends back every target in scope that this release wrote to; the version goes on hold. */
export function beginRollback(turn: Turn, order: Omit<RollbackOrder, 'since'>): void {
  turn.run.rollback = { ...order, since: turn.now };
  startRollback(turn);
}

/** A release that itself goes back to stored content: of it there is no way back that would be better. */
export function isRestore(run: ReleaseRun): boolean {
  return run.plans[0].kind === 'rollback';
}

/** A release that brings versions back; one that only takes away does not. */
export function leadsBack(run: ReleaseRun): boolean {
  return isRestore(run) && run.plans[0].targets.some(({ to }) => to !== undefined);
}

/** By itself nothing goes back to what is known not to have been healthy (C31); a person may order it. */
export function leadsToBroken(target: TargetRun): boolean {
  return target.brokenBefore === true && target.wanted === undefined;
}

/** Starts what a rollback order (of the engine, or written by a person's command) has not started yet. */
export function startRollback(turn: Turn): void {
  const { run } = turn;
  if (!run.rollback || isRestore(run)) {
    return;
  }
  run.overBudget = undefined;
  run.paused = undefined;
  const chosen = inScope(run, run.rollback.scope).filter(target => !isPutBack(run, target));
  if (chosen.length > 0) {
    followRollbackPlan(turn, chosen);
    turn.hold = { version: run.targetVersion, reason: run.rollback.reason };
    const { by, reason } = run.rollback;
    releaseEvent(
      turn,
      'RollbackStarted',
      `rolling back ${counted(chosen.length, 'cluster')}: ${reason}`,
      {
        actor: by,
        reason,
        params: { count: chosen.length },
      },
    );
  }
}

/** Within the failure limit the failed cluster goes back, where that helps, and the release goes on. */
export function answerAlone(turn: Turn, target: TargetRun): void {
  if (!leadsToBroken(target)) {
    putBackAlone(turn, target);
  } else if (target.failure && !target.failure.seen) {
    target.failure.seen = true;
    targetEvent(
      turn,
      target,
      'TargetLeft',
      'stays as it is: what ran there before was not healthy either',
    );
  }
}

export function putBackAlone(turn: Turn, target: TargetRun): void {
  if (target.touched && !isRestore(turn.run)) {
    followRollbackPlan(turn, [target]);
    targetEvent(turn, target, 'TargetPutBack', 'is put back alone; the release goes on');
  }
}

/** What a rollback of that scope sends back. */
export function inScope(run: ReleaseRun, scope: RollbackOrder['scope']): TargetRun[] {
  // Who has left the fleet cannot be put back.
  const touched = run.targets.filter(
    target =>
      target.touched &&
      target.state !== 'Skipped' &&
      (run.rollback?.by !== 'system' || !leadsToBroken(target)),
  );
  switch (scope) {
    case 'failed':
      return touched.filter(target => target.failure !== undefined);
    case 'stage':
      return touched.filter(target => isPutBack(run, target) || target.stage === run.stage);
    default:
      return touched;
  }
}

function followRollbackPlan(turn: Turn, targets: TargetRun[]): void {
  const { run } = turn;
  const forward = forwardPlan(run);
  const number = Math.max(...run.plans.map(plan => plan.number)) + 1;
  const plan = compileRollback({
    service: run.service,
    targetVersion: wayBack(run, targets[0])?.version ?? run.targetVersion,
    targets: targets.map(target => rollbackTarget(run, target)),
    number,
    rules: forward.rules,
    timeoutMilliseconds: stageOf(run, targets[0]).timeoutMilliseconds,
    sha256,
  });
  run.plans.push(plan);
  run.lastSequence += 1;
  run.sequences[number] = run.lastSequence;
  targets.forEach(target => turnBack(turn, target, number));
}

function rollbackTarget(run: ReleaseRun, target: TargetRun): RollbackTarget {
  const { cluster, namespace, group } = target;
  const from = forwardPlan(run).targets.find(({ key }) => key === target.key)?.to;
  return { cluster, namespace, group, from, to: wayBack(run, target) };
}

/** The recorded content; for an adopted service what was live before our first write. */
export function contentBefore({ from, beforeDigest }: TargetRun): ContentRef | undefined {
  return from ?? (beforeDigest ? { digest: beforeDigest, version: 'before adoption' } : undefined);
}

/** What a person chose, or what was there before. */
export function wayBack({ rollback }: ReleaseRun, target: TargetRun): ContentRef | undefined {
  return target.wanted ?? rollback?.to?.[target.key] ?? contentBefore(target);
}

function turnBack(turn: Turn, target: TargetRun, planNumber: number): void {
  target.plan = planNumber;
  target.stage = 0;
  target.position = 0;
  target.attempts = 0;
  moveTarget(target, target.unreachableSince === undefined ? 'RollingBack' : 'RollbackPending');
  // A lost answer must not hide what the way back makes again.
  target.inventory = withEarlier(target.inventory, target.inventoryBefore);
  target.ticket = undefined;
  target.sequence = undefined;
  target.weight = undefined;
  target.appliedAt = undefined;
  target.writtenAt = undefined;
  // The way back has a time-out of its own, from its first write.
  target.timeoutAt = undefined;
  target.healthyAt = undefined;
  target.retryAt = undefined;
  target.retries = undefined;
  target.changedRisks = undefined;
  beginPhase(turn, target, 'rollback');
}
