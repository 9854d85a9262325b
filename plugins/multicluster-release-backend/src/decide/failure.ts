import type { OnFailure } from 'backstage-plugin-multicluster-release-common';
import { answerAlone, beginRollback, isRestore, leadsToBroken, putBackAlone } from './rollback';
import { endPhase, forwardPlan, planOf, releaseEvent, targetEvent, type Turn } from './turn';
import { moveTarget } from './move';
import { forgetSkips } from './skips';
import type { ReleaseRun, TargetRun } from './types';

type Cause = NonNullable<TargetRun['failure']>['cause'];

/** Ends the target's attempt: tries again while the plan allows retries, else the target has failed. */
export function failTarget(turn: Turn, target: TargetRun, cause: Cause, message: string): void {
  const { retries } = planOf(turn.run, target).rules;
  endPhase(turn, target);
  if (target.attempts < retries && cause !== 'Offline' && !goesBack(turn.run)) {
    target.attempts += 1;
    target.tries = (target.tries ?? 0) + 1;
    target.position = 0;
    forgetSkips(turn.run, target.key);
    moveTarget(target, 'Applying');
    target.writtenAt = undefined;
    target.healthyAt = undefined;
    target.timeoutAt = undefined;
    target.retryAt = undefined;
    targetEvent(
      turn,
      target,
      'TargetRetry',
      `attempt ${target.attempts} failed (${message}); trying again`,
    );
    return;
  }
  moveTarget(target, 'Failed');
  target.message = message;
  target.timeoutAt = undefined;
  target.failure = { cause, message, at: turn.now };
  targetEvent(turn, target, 'TargetFailed', `failed: ${message}`);
}

/**
 * Acts on failures that no answer was given to yet (design.md 4.8): up to
 * maxFailures each failed cluster is put back alone; above it `onFailure`.
 */
export function answerFailures(turn: Turn): void {
  const { run } = turn;
  if (run.overBudget) {
    return;
  }
  const failed = run.targets.filter(target => target.failure !== undefined);
  const open = failed.filter(
    target =>
      target.state === 'Failed' &&
      target.plan === forwardPlan(run).number &&
      (!target.failure?.seen || goesBack(run)),
  );
  if (open.length === 0) {
    return;
  }
  const { rules } = forwardPlan(run);
  if (goesBack(run)) {
    const answer = run.rollback?.by === 'system' ? answerAlone : putBackAlone;
    open.forEach(target => answer(turn, target));
  } else if (isRestore(run)) {
    pauseAboveBudget(turn, failed.length, rules.maxFailures);
  } else if (open.some(target => pausesInstead(rules.rollbackOn, target))) {
    pauseOverBudget(turn, failed.length, rules.maxFailures);
  } else if (failed.length <= rules.maxFailures) {
    open.forEach(target => answerAlone(turn, target));
  } else {
    aboveBudget(turn, rules.onFailure, failed, rules.maxFailures);
  }
}

/** Nothing leads forward any more: it goes back, or is being stopped. */
export function goesBack(run: ReleaseRun): boolean {
  return [run.aborted, run.superseded, run.rollback].some(order => order !== undefined);
}

/**
 * A cluster that fails while it catches up after the end is put back alone, and
 * the version goes on hold like any that fails.
 */
export function answerLateFailures(turn: Turn): void {
  const { run } = turn;
  const failed = run.targets.filter(
    target => target.state === 'Failed' && target.failure?.at === turn.now && target.touched,
  );
  for (const target of failed.filter(({ plan }) => plan === forwardPlan(run).number)) {
    answerAlone(turn, target);
    turn.hold = { version: run.targetVersion, reason: `${describe(target)} (while it caught up)` };
  }
}

/** A failure that is not in `rollback.on` pauses; a refusal by the API server or an absence counts as health. */
function pausesInstead(rollbackOn: string[], target: TargetRun): boolean {
  const cause = target.failure?.cause;
  return !rollbackOn.includes(
    cause === 'Timeout' || cause === 'MetricFailed' ? cause : 'HealthFailed',
  );
}

function aboveBudget(turn: Turn, onFailure: OnFailure, failed: TargetRun[], max: number): void {
  const reason = `${failed.length} failed, limit ${max}: ${failed
    .map(describe)
    .slice(0, 3)
    .join('; ')}`;
  const written = turn.run.targets.filter(isWritten);
  if (onFailure !== 'Continue' && written.length > 0 && written.every(leadsToBroken)) {
    // There is no version to go back to that would be better: a person decides, and may bring a fix.
    pauseOverBudget(turn, failed.length, max);
    return;
  }
  switch (onFailure) {
    case 'Pause':
      pauseOverBudget(turn, failed.length, max);
      return;
    case 'Continue':
      return;
    case 'RollbackFailedOnly':
      beginRollback(turn, { by: 'system', reason, scope: 'failed' });
      return;
    case 'RollbackStage':
      beginRollback(turn, { by: 'system', reason, scope: 'stage' });
      return;
    default:
      beginRollback(turn, { by: 'system', reason, scope: 'touched' });
  }
}

function isWritten({ touched, state }: TargetRun): boolean {
  return touched && state !== 'Skipped';
}

function describe(target: TargetRun): string {
  return `${target.cluster}: ${target.failure?.message}`;
}

function pauseAboveBudget(turn: Turn, failed: number, max: number): void {
  if (failed > max) {
    pauseOverBudget(turn, failed, max);
  }
}

function pauseOverBudget(turn: Turn, failed: number, max: number): void {
  turn.run.overBudget = { failed, max, since: turn.now };
  releaseEvent(
    turn,
    'StoppedByFailures',
    `stopped: ${failed} failed, limit ${max}; waiting for a person`,
    {
      params: { failed, max },
    },
  );
}
