import type { PlanStep } from 'backstage-plugin-multicluster-release-common';
import { planTarget } from './effects';
import { evidenceOf } from './evidence';
import { failTarget } from './failure';
import { isHeld } from './held';
import { jobsOf } from './jobs';
import {
  beginPhase,
  currentStep,
  endPhase,
  isPutBack,
  isResting,
  isWeighted,
  scaled,
  stageOf,
  targetEvent,
  track,
  wake,
  type Turn,
} from './turn';
import { moveTarget } from './move';
import { isTrackSkipped } from './skips';
import type { ReleaseRun, TargetRun } from './types';

/** Takes a started target as far along its track as evidence allows. */
export function walkTarget(turn: Turn, target: TargetRun): void {
  if (target.state === 'Done' || isResting(turn.run, target)) {
    guardDone(turn, target);
    return;
  }
  while (isWalking(target)) {
    const step = currentStep(turn.run, target);
    if (!step) {
      if (!isOverdue(turn, target) && isStillProven(turn, target)) {
        finishTarget(turn, target);
      }
      return;
    }
    if (!passes(turn, target, step)) {
      return;
    }
    target.position += 1;
  }
}

/**
 * What a Job, a stop or a cluster that flaps has held up for long is looked at
 * again: nothing is removed, and nothing is done, on evidence of the past.
 */
function isStillProven(turn: Turn, target: TargetRun): boolean {
  if (planTarget(turn, target).to === undefined) {
    return true;
  }
  const evidence = evidenceOf(turn, target);
  if (evidence === 'oldStamp') {
    repair(turn, target);
  } else if (evidence === 'failed' && !isPutBack(turn.run, target)) {
    failTarget(turn, target, 'HealthFailed', target.health.message ?? 'is no longer healthy');
  }
  return evidence === 'healthy';
}

const WALKING = new Set([
  'Applying',
  'Verifying',
  'Soaking',
  'RollingBack',
  'RollbackPending',
  'Blocked',
]);

export function isWalking(target: TargetRun): boolean {
  return WALKING.has(target.state);
}

/** True where the step is behind the target now. Effects advance the position themselves, when they end well. */
function passes(turn: Turn, target: TargetRun, step: PlanStep): boolean {
  if (target.state === 'Blocked') {
    return unblock(target);
  }
  if (isOverdue(turn, target)) {
    return false;
  }
  switch (step.instruction) {
    case 'check':
      if (target.unreachableSince === undefined) {
        beginPhase(turn, target, 'check');
      }
      return false;
    case 'apply':
    case 'weight':
      return passApply(turn, target);
    case 'remove':
      beginPhase(turn, target, isPutBack(turn.run, target) ? 'rollback' : 'remove');
      awaitLateLanding(turn, target);
      if (!turn.inputs.inFlight.has(target.key) && !isStillProven(turn, target)) {
        return false;
      }
      // Deletes are writes too: a new holder re-stamps what it owns there first (design.md 4.2).
      if (target.ticket !== undefined && target.ticket !== turn.inputs.ticket) {
        backToApply(turn, target);
      }
      return false;
    case 'analyse':
      beginPhase(turn, target, 'analyse');
      return isSkipped(turn, target, step) || target.passedJobs === jobsOf(turn, target);
    case 'wait':
      return passWait(turn, target, step);
    default:
      throw new Error(`Release ${turn.run.id}: instruction ${step.instruction} is not built yet`);
  }
}

/** A person let this step go for this target. */
function isSkipped({ run }: Turn, target: TargetRun, { id }: PlanStep): boolean {
  const stage = isPutBack(run, target) ? undefined : run.stages[target.stage];
  return isTrackSkipped(stage, id, target.key);
}

/** A person accepted what had changed: the check runs again with the accepted risks. */
function unblock(target: TargetRun): boolean {
  if (!target.changedRisks) {
    // Its stage starts it when there is a slot.
    moveTarget(target, 'Pending');
    target.position = 0;
    target.message = undefined;
  }
  return false;
}

function passApply(turn: Turn, target: TargetRun): boolean {
  const putBack = isPutBack(turn.run, target);
  if (!putBack && target.writtenAt === undefined && isHeld(turn)) {
    // Paused, stopped or sent back while it was being checked: nothing was written, so it has not started.
    moveTarget(target, 'Pending');
    target.position = 0;
    endPhase(turn, target);
    return false;
  }
  if (target.stoppedSince !== undefined && target.writtenAt === undefined) {
    if (!putBack) {
      moveTarget(target, 'Pending');
      target.position = 0;
      endPhase(turn, target);
    }
    return false;
  }
  beginPhase(turn, target, putBack ? 'rollback' : 'apply');
  if (!putBack) {
    moveTarget(target, 'Applying');
  }
  if (!target.writtenAt) {
    const stage = stageOf(turn.run, target);
    target.writtenAt = turn.now;
    target.timeoutAt = turn.now + stage.timeoutMilliseconds;
    target.sequence = newestSequence(turn.run, target);
    target.touched = true;
  }
  // Nothing of ours was there before: there is nothing to bring, `remove` takes what we made.
  return planTarget(turn, target).to === undefined;
}

/** Removing at once would leave behind what a lost request still makes. */
function awaitLateLanding(turn: Turn, target: TargetRun): void {
  const { unsettledUntil = 0 } = target;
  if (turn.now < unsettledUntil && turn.run.plans[0].kind === 'forward') {
    target.retryAt = Math.max(target.retryAt ?? 0, unsettledUntil);
  }
}

/**
 * Under which number it is written. Where other work of the service has taken
 * one since the plan got its own, that work may have been here: a newer one.
 */
function newestSequence(run: ReleaseRun, target: TargetRun): number {
  if (run.sequences[target.plan] < run.lastSequence) {
    run.lastSequence += 1;
    return run.lastSequence;
  }
  return run.sequences[target.plan];
}

function passWait(turn: Turn, target: TargetRun, step: PlanStep): boolean {
  if (step.wait?.for === 'soak') {
    return passSoak(turn, target, isSkipped(turn, target, step) ? 0 : step.wait.milliseconds);
  }
  if (planTarget(turn, target).to === undefined) {
    return true;
  }
  return passHealthy(turn, target);
}

function passHealthy(turn: Turn, target: TargetRun): boolean {
  const putBack = isPutBack(turn.run, target);
  if (!putBack) {
    moveTarget(target, 'Verifying');
    beginPhase(turn, target, 'ready');
  }
  const evidence = evidenceOf(turn, target);
  if (target.ticket !== turn.inputs.ticket || evidence === 'oldStamp') {
    backToApply(turn, target);
    return false;
  }
  if (evidence === 'healthy' && target.weight?.partial) {
    backToApply(turn, target);
    return false;
  }
  if (evidence === 'healthy') {
    target.healthyAt ??= turn.now;
    target.message = undefined;
    targetEvent(turn, target, 'TargetHealthy', 'is healthy');
    return true;
  }
  target.message = target.health.message;
  // The old version is the best that is known: while it comes back only the time-out ends the wait.
  if (evidence === 'failed' && !putBack) {
    failTarget(
      turn,
      target,
      'HealthFailed',
      target.health.message ?? 'the new version is not healthy',
    );
  }
  return false;
}

function passSoak(turn: Turn, target: TargetRun, milliseconds: number): boolean {
  moveTarget(target, 'Soaking');
  beginPhase(turn, target, 'soak');
  const until = (target.healthyAt ?? turn.now) + scaled(turn, milliseconds);
  const evidence = evidenceOf(turn, target);
  if (evidence === 'failed') {
    failTarget(
      turn,
      target,
      'HealthFailed',
      target.health.message ?? 'failed while it was observed',
    );
    return false;
  }
  if (evidence === 'oldStamp') {
    repair(turn, target);
    return false;
  }
  if (turn.now < until) {
    wake(turn, until);
    return false;
  }
  return evidence === 'healthy';
}

/**
 * The new holder, or whoever was overtaken by a late writer, writes its stamp again;
 * content stays. Also for the rest of a weight, once its first new pods are ready.
 */
function backToApply(turn: Turn, target: TargetRun): void {
  const steps = track(stageOf(turn.run, target));
  target.position = steps.findIndex(
    ({ instruction }) => instruction === 'apply' || instruction === 'weight',
  );
  // A finished target has none any more, and a repair that never ends would hold the release for ever.
  target.timeoutAt ??= turn.now + stageOf(turn.run, target).timeoutMilliseconds;
  moveTarget(target, isPutBack(turn.run, target) ? 'RollingBack' : 'Applying');
}

function finishTarget(turn: Turn, target: TargetRun): void {
  if (isWeighted(turn.run, target)) {
    beginPhase(turn, target, 'soak');
    moveTarget(target, 'Soaking');
    target.timeoutAt = undefined;
    target.message = undefined;
    const percent = target.weight?.reached ?? target.weight?.wanted ?? 0;
    targetEvent(turn, target, 'TargetWeighted', `has its weight of ${percent}%`);
    return;
  }
  endPhase(turn, target);
  const putBack = isPutBack(turn.run, target);
  moveTarget(target, putBack ? 'RolledBack' : 'Done');
  target.timeoutAt = undefined;
  target.message = undefined;
  targetEvent(
    turn,
    target,
    putBack ? 'TargetRolledBack' : 'TargetDone',
    putBack ? 'is put back' : 'is done',
  );
}

/** Until the release is final a finished cluster stays guarded: crashing there stops the release. */
function guardDone(turn: Turn, target: TargetRun): void {
  if (!target.touched) {
    return;
  }
  const evidence = evidenceOf(turn, target);
  if (evidence === 'failed') {
    failTarget(turn, target, 'HealthFailed', target.health.message ?? 'is no longer healthy');
  } else if (evidence === 'oldStamp') {
    repair(turn, target);
  }
}

/** Nobody else is to find what a late writer left: the content is written again. */
function repair(turn: Turn, target: TargetRun): void {
  targetEvent(
    turn,
    target,
    'LateWriterRepaired',
    'an older writer came through; the content is written again',
  );
  backToApply(turn, target);
}

function isOverdue(turn: Turn, target: TargetRun): boolean {
  const { timeoutAt } = target;
  if (
    timeoutAt === undefined ||
    target.state === 'Soaking' ||
    target.unreachableSince !== undefined ||
    target.stoppedSince !== undefined ||
    // A Job has a deadline of its own.
    currentStep(turn.run, target)?.instruction === 'analyse'
  ) {
    return false;
  }
  if (turn.run.stoodStillSince !== undefined && !isPutBack(turn.run, target)) {
    return false;
  }
  if (turn.now < timeoutAt) {
    wake(turn, timeoutAt);
    return false;
  }
  // What is healthy by now is not overdue, however late we look (the backend may have been down).
  if (evidenceOf(turn, target) === 'healthy') {
    return false;
  }
  overdue(turn, target);
  return true;
}

function overdue(turn: Turn, target: TargetRun): void {
  const detail = target.message ?? target.health.message;
  const message = `not healthy within the time-out${detail ? ` (${detail})` : ''}`;
  if (!isPutBack(turn.run, target)) {
    failTarget(turn, target, 'Timeout', message);
    return;
  }
  moveTarget(target, 'Failed');
  target.message = `could not be put back: ${message}`;
  endPhase(turn, target);
  targetEvent(turn, target, 'RollbackIncomplete', target.message);
}
