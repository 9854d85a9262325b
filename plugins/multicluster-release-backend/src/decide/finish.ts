import { counted, type ReleaseState } from 'backstage-plugin-multicluster-release-common';
import { isRestore, leadsBack, leadsToBroken, putBackAlone } from './rollback';
import { forwardPlan, isPutBack, isWeighted, releaseEvent, wake, type Turn } from './turn';
import { moveTarget } from './move';
import type { ReleaseRun, TargetRun } from './types';
import { isWalking } from './walk';

/** Gives the release its final state once nothing more can come of it. */
export function finishRelease(turn: Turn): void {
  const { run } = turn;
  if ((run.aborted || run.superseded) && !run.rollback) {
    finishStopped(turn);
  } else if (run.rollback) {
    finishRolledBack(turn);
  } else if (run.stage >= forwardPlan(run).stages.length && !run.queuedBehind) {
    finishForward(turn);
  }
}

function finishForward(turn: Turn): void {
  const { run } = turn;
  if (run.targets.length === 0) {
    end(turn, 'NothingSelected', 'selected no cluster');
    return;
  }
  const working = (target: TargetRun) => isWalking(target) && target.state !== 'RollbackPending';
  if (run.targets.some(target => target.state === 'Pending' || working(target))) {
    return;
  }
  if (run.targets.some(target => isUnseen(turn, target))) {
    wake(turn, turn.now + LOOK_MILLISECONDS);
    return;
  }
  const failures = run.targets.filter(target => target.failure !== undefined).length;
  const reached = run.targets.filter(
    target => target.state === 'Done' || target.state === 'Unchanged',
  ).length;
  const pending = run.targets.filter(isPending).length;
  // Within the limit a failed cluster was put back; a rollback has no way back, so there it is no success.
  const maxFailures = isRestore(run) ? 0 : forwardPlan(run).rules.maxFailures;
  if (failures + reached + pending === 0) {
    finishNowhere(turn);
  } else if (failures > maxFailures || (reached === 0 && pending === 0)) {
    skipUnwritten(turn);
    end(turn, 'Failed', `failed on ${counted(failures, 'cluster')}`);
  } else if (pending > 0) {
    end(
      turn,
      'CompletedWithPending',
      `is done but for ${counted(pending, 'cluster')}, which catch up when they return`,
    );
  } else if (run.targets.every(target => target.state === 'Unchanged')) {
    end(turn, 'Succeeded', 'runs everywhere already: nothing was written');
  } else if (isRestore(run) && !leadsBack(run)) {
    end(turn, 'Succeeded', `has taken the service off ${counted(reached, 'cluster')}`);
  } else {
    end(turn, 'Succeeded', `runs on ${counted(reached, 'cluster')}`);
  }
}

/** People have sent back, or skipped, one after the other. */
function finishNowhere(turn: Turn): void {
  if (turn.run.targets.some(({ state }) => state === 'RolledBack')) {
    end(turn, 'RolledBack', 'was sent back, cluster by cluster');
  } else {
    end(turn, 'Failed', 'came to no cluster: every one was skipped');
  }
}

/** Clusters that only catch up with a release that is done: this one never comes there. */
function skipUnwritten({ run }: Turn): void {
  for (const target of run.targets) {
    if (!target.touched && target.state === 'Offline') {
      moveTarget(target, 'Skipped');
      target.message = undefined;
    }
  }
}

const LOOK_MILLISECONDS = 1_000;

/** A new holder of the lease has not looked there yet: whatever came meanwhile would be missed. */
function isUnseen({ inputs, observations }: Turn, target: TargetRun): boolean {
  return (
    target.state === 'Done' &&
    target.touched &&
    target.unreachableSince === undefined &&
    !inputs.controls?.left.includes(target.cluster) &&
    !observations.has(target.key)
  );
}

function finishStopped(turn: Turn): void {
  const { run } = turn;
  for (const target of run.targets) {
    if (!target.touched && ['Pending', 'Applying', 'Blocked', 'Offline'].includes(target.state)) {
      moveTarget(target, 'Skipped');
      target.message = undefined;
    } else if (isHalfDone(run, target) && isRestore(run)) {
      // Of a way back there is none that would be better: it stays as its failed attempt left it.
      moveTarget(target, 'Failed');
      target.message ??= 'stopped before it was tried again';
    } else if (isHalfDone(run, target)) {
      // Otherwise it would stay as its failed attempt left it.
      putBackAlone(turn, target);
    }
  }
  if (run.targets.some(target => isWalking(target) && target.unreachableSince === undefined)) {
    return;
  }
  if (run.aborted) {
    const { by, reason } = run.aborted;
    end(turn, 'Aborted', 'was stopped; finished clusters stay', by, reason);
  } else {
    const by = run.superseded?.by;
    end(turn, 'Superseded', 'made room for a newer one; finished clusters stay', by);
  }
}

/**
 * Touched by a failed attempt, and not yet by the next one; or at a weight, where
 * no cluster stays when a release ends (design.md 4.11).
 */
function isHalfDone(run: ReleaseRun, target: TargetRun): boolean {
  return (
    target.touched &&
    !isPutBack(run, target) &&
    target.state !== 'Skipped' &&
    (target.state === 'Pending' ||
      target.state === 'Blocked' ||
      (target.state === 'Offline' && target.writtenAt === undefined) ||
      isWeighted(run, target))
  );
}

function finishRolledBack(turn: Turn): void {
  const { run } = turn;
  run.targets
    .filter(target => isHalfDone(run, target))
    .forEach(target => putBackAlone(turn, target));
  const back = run.targets.filter(target => isPutBack(run, target));
  if (back.some(target => target.state === 'RollingBack') || staysPending(turn)) {
    return;
  }
  // Clusters that did not have to go back but were on their way finish first (scopes `stage` and `failed`).
  if (
    run.targets.some(
      target =>
        !isPutBack(run, target) &&
        target.touched &&
        isWalking(target) &&
        target.unreachableSince === undefined,
    )
  ) {
    return;
  }
  for (const target of run.targets) {
    if (!target.touched && !['Unchanged', 'Skipped', 'Failed'].includes(target.state)) {
      moveTarget(target, 'Unchanged');
      target.message = undefined;
    }
  }
  const incomplete = back.filter(
    target => target.state === 'Failed' || target.state === 'RollbackImpossible',
  );
  if (incomplete.length > 0) {
    end(
      turn,
      'Failed',
      `could not be rolled back on ${incomplete.map(({ cluster }) => cluster).join(', ')}`,
    );
  } else if (run.targets.some(target => isLeftBroken(run, target))) {
    const left = run.targets.filter(target => isLeftBroken(run, target));
    const names = left.map(({ cluster }) => cluster).join(', ');
    end(
      turn,
      'Failed',
      `is rolled back but for ${names}, where what ran before was not healthy either`,
    );
  } else if (run.rollback?.scope === 'failed') {
    end(turn, 'Failed', 'failed; the failed clusters are put back, the others stay');
  } else {
    const pending = back.filter(target => target.state === 'RollbackPending').length;
    end(
      turn,
      'RolledBack',
      pending > 0
        ? `is rolled back but for ${counted(pending, 'unreachable cluster')}`
        : 'is rolled back',
    );
  }
}

/** Out of the way back of the engine, since it would lead to what is known to be broken (C31). */
function isLeftBroken(run: ReleaseRun, target: TargetRun): boolean {
  return target.touched && !isPutBack(run, target) && leadsToBroken(target);
}

/** An unreachable cluster does not hold the end for ever: once it counts as offline its rollback is follow-up work. */
function staysPending(turn: Turn): boolean {
  const { afterMilliseconds } = forwardPlan(turn.run).rules.offline;
  return turn.run.targets.some(target => {
    const offlineAt = (target.unreachableSince ?? 0) + afterMilliseconds;
    if (target.state !== 'RollbackPending' || turn.now >= offlineAt) {
      return false;
    }
    wake(turn, offlineAt);
    return true;
  });
}

function isPending(target: { state: string }): boolean {
  return target.state === 'Offline' || target.state === 'RollbackPending';
}

function end(
  turn: Turn,
  state: ReleaseState,
  message: string,
  actor = 'system',
  reason?: string,
): void {
  const { run } = turn;
  run.state = state;
  run.finishedAt = turn.now;
  run.paused = undefined;
  run.overBudget = undefined;
  run.stoodStillSince = undefined;
  releaseEvent(turn, `Release${state}`, `the release ${message}`, { actor, reason });
}

/** Pending targets are follow-up work of a final release. Whom it never wrote to catches up only with one that completed. */
export function hasPendingWork({ run }: Turn): boolean {
  const catchesUp = run.state === 'CompletedWithPending';
  return run.targets.some(
    target =>
      isWalking(target) ||
      (isPending(target) && (target.touched || catchesUp)) ||
      // Back again, and kept from starting by a stop or a window.
      (target.state === 'Pending' && catchesUp),
  );
}
