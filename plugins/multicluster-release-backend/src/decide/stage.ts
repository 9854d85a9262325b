import {
  startableWithin,
  type PlanStage,
  type PlanStep,
} from 'backstage-plugin-multicluster-release-common';
import { approvalPasses, questionsBefore } from './approvals';
import { planTarget } from './effects';
import { evidenceOf } from './evidence';
import { isHeld } from './held';
import { metricsPass } from './metrics';
import { obstacleOf } from './obstacles';
import {
  beginPhase,
  forwardPlan,
  gateSteps,
  isPutBack,
  isResting,
  releaseEvent,
  scaled,
  stageTargets,
  targetEvent,
  wake,
  type Turn,
} from './turn';
import { moveTarget } from './move';
import { isGateSkipped } from './skips';
import type { ReleaseRun, StageRun, TargetRun } from './types';

/** Starts targets of the current stage and passes stages whose gates have passed. */
export function advanceStages(turn: Turn): void {
  const { run } = turn;
  const { stages } = forwardPlan(run);
  if (!isHeld(turn) && run.targets.every(target => target.state === 'Unchanged')) {
    // Nothing to write means nothing to observe either: the gates of all stages are behind us.
    run.stage = stages.length;
  }
  if (!isHeld(turn)) {
    // Failed clusters of passed stages that a person lets try again.
    stages.slice(0, run.stage).forEach(stage => startTargets(turn, stage));
  }
  while (run.stage < stages.length) {
    const stage = stages[run.stage];
    const stageRun = run.stages[run.stage];
    if (isHeld(turn)) {
      return;
    }
    beginStage(turn, stage, stageRun);
    if (!questionsBefore(stage).every(step => approvalPasses(turn, stageRun, step))) {
      return;
    }
    startTargets(turn, stage);
    if (!stageTargets(run, stage).every(target => isSettled(turn, target, stage))) {
      // Who is on its way again begins the cool-down anew once it is healthy.
      stageRun.gateAt = undefined;
      return;
    }
    if (!gatePasses(turn, stage, stageRun)) {
      return;
    }
    endStage(turn, stage, stageRun);
  }
}

function beginStage(turn: Turn, stage: PlanStage, stageRun: StageRun): void {
  if (stageRun.startedAt === undefined) {
    stageRun.startedAt = turn.now;
    if (stage.steps.length > 0) {
      releaseEvent(turn, 'StageStarted', `stage ${stage.index + 1} (${stage.name}) starts`, {
        kind: 'stage',
        stage: stage.index,
        params: { stage: stage.name, count: stage.targets.length },
      });
    }
  }
}

function endStage(turn: Turn, stage: PlanStage, stageRun: StageRun): void {
  stageRun.finishedAt = turn.now;
  turn.run.stage += 1;
  if (stage.steps.length > 0) {
    releaseEvent(turn, 'StageFinished', `stage ${stage.index + 1} (${stage.name}) has passed`, {
      kind: 'stage',
      stage: stage.index,
      params: { stage: stage.name },
    });
  }
}

const IN_FLIGHT = new Set(['Applying', 'Verifying', 'Soaking']);

/** Concurrency bounds what is started; a target that is blocked, offline or going back uses no slot. */
function startTargets(turn: Turn, stage: PlanStage): void {
  const { run } = turn;
  const targets = stageTargets(run, stage);
  const used = targets.filter(
    target =>
      IN_FLIGHT.has(target.state) &&
      !isResting(run, target) &&
      target.unreachableSince === undefined &&
      target.stoppedSince === undefined,
  ).length;
  startable(
    turn,
    targets.filter(target => isDue(run, target, stage)),
  )
    .slice(0, Math.max(0, stage.concurrency - used))
    .forEach(target => startTarget(turn, target, stage.index));
}

/** Waits for this stage: to be begun at all, or to be taken further than its weight. */
function isDue(run: ReleaseRun, target: TargetRun, { index }: PlanStage): boolean {
  return isResting(run, target) ? target.stage < index : target.stage === index;
}

/** Broken clusters first; the others as far as the bound on unavailable clusters goes (C28). */
function startable(turn: Turn, targets: TargetRun[]): TargetRun[] {
  const { run } = turn;
  // What is broken and not ours yet costs nothing where its turn is still to come.
  const bounded = run.targets
    .filter(target => target.touched || targets.includes(target))
    .map(target => ({ target, key: target.key, available: isAvailable(run, target) }));
  const waiting = new Set(targets.filter(target => mayStart(turn, target)));
  const { maxUnavailable } = forwardPlan(run).rules;
  const chosen = startableWithin(
    bounded.filter(({ target }) => waiting.has(target)),
    bounded,
    maxUnavailable,
  ).map(({ target }) => target);
  if (chosen.length < waiting.size && maxUnavailable !== undefined) {
    const used = bounded.filter(({ available }) => !available).length;
    turn.heldByBound = { used, max: maxUnavailable };
  }
  return chosen;
}

function isAvailable(run: ReleaseRun, target: TargetRun): boolean {
  if (ENDED.has(target.state) || (target.state === 'Failed' && isGivenUp(run, target))) {
    return true;
  }
  const ours = target.touched && (isPutBack(run, target) || target.health.state !== 'Healthy');
  return !ours && target.brokenBefore !== true;
}

/** Nothing is done to it any more. */
const ENDED = new Set([
  'Done',
  'Soaking',
  'RolledBack',
  'RollbackImpossible',
  'Skipped',
  'Unchanged',
]);

/** The policy or a person has said that the others go on without it. */
function isGivenUp(run: ReleaseRun, target: TargetRun): boolean {
  return (
    isPutBack(run, target) ||
    target.failure?.seen === true ||
    forwardPlan(run).rules.onFailure === 'Continue'
  );
}

export function mayStart(turn: Turn, target: TargetRun): boolean {
  // A touched target is pending only where a person lets it try again.
  const pending =
    target.state === 'Pending' ||
    (target.state === 'Offline' && !target.touched) ||
    isResting(turn.run, target);
  if (!pending || target.unreachableSince !== undefined) {
    // Whether it answers again is seen, not tried: a try would take a slot.
    return false;
  }
  if (target.retryAt !== undefined && target.retryAt > turn.now) {
    wake(turn, target.retryAt);
    return false;
  }
  return obstacleOf(turn, target) === undefined;
}

export function startTarget(turn: Turn, target: TargetRun, stage = target.stage): void {
  if (isResting(turn.run, target)) {
    takeFurther(target);
  }
  target.stage = stage;
  moveTarget(target, 'Applying');
  target.position = 0;
  if (target.phases.length === 0) {
    targetEvent(turn, target, 'TargetStarted', 'starts');
  }
  beginPhase(turn, target, turn.run.plans[0].kind === 'rollback' ? 'apply' : 'check');
}

/** From its weight on: an attempt of its own, with counters and a time-out of its own. */
function takeFurther(target: TargetRun): void {
  target.weight = undefined;
  target.attempts = 0;
  target.writtenAt = undefined;
  target.healthyAt = undefined;
  target.appliedAt = undefined;
}

const SETTLED = new Set([
  'Done',
  'Unchanged',
  'Skipped',
  'Failed',
  'RolledBack',
  'RollbackPending',
  'RollbackImpossible',
]);

/** Nothing more is to come from this target before the stage's gate. */
function isSettled(turn: Turn, target: TargetRun, { index }: PlanStage): boolean {
  if (isResting(turn.run, target)) {
    return target.stage >= index;
  }
  if (target.state === 'Offline') {
    return forwardPlan(turn.run).rules.offline.policy === 'Skip';
  }
  return SETTLED.has(target.state);
}

function gatePasses(turn: Turn, stage: PlanStage, stageRun: StageRun): boolean {
  const gates = gateSteps(stage).filter(({ when }) => when !== 'before');
  const watched = watchedTargets(turn, stage);
  if (gates.length > 0) {
    // The cool-down counts from when the last cluster was healthy on the new version (C27), never from before.
    stageRun.gateAt ??= Math.max(
      stageRun.startedAt ?? turn.now,
      ...watched.map(target => target.healthyAt ?? 0),
    );
  }
  // All are looked at: people are asked while the soak still runs.
  const passed = gates.map(gate => gateIsOver(turn, gate, stageRun));
  if (passed.includes(false)) {
    return false;
  }
  const proven = watched.every(target => isProven(turn, target));
  if (!proven) {
    wake(turn, turn.now + PROOF_MILLISECONDS);
  }
  return proven;
}

/** How soon fresh evidence is looked for where nothing else is waited for. */
const PROOF_MILLISECONDS = 1_000;

function gateIsOver(turn: Turn, step: PlanStep, stageRun: StageRun): boolean {
  const { wait } = step;
  if (isGateSkipped(stageRun, step.id)) {
    return true;
  }
  if (step.instruction === 'approve') {
    return approvalPasses(turn, stageRun, step);
  }
  if (step.metrics) {
    return metricsPass(turn, stageRun, step);
  }
  if (wait?.for === 'promotion') {
    return stageRun.promotedBy !== undefined;
  }
  if (wait?.for !== 'soak') {
    return true;
  }
  const until = gateUntil(turn, stageRun, wait.milliseconds);
  if (turn.now < until) {
    wake(turn, until);
    return false;
  }
  return true;
}

export function gateUntil(turn: Turn, stageRun: StageRun, milliseconds: number): number {
  return (stageRun.gateAt ?? turn.now) + scaled(turn, milliseconds);
}

/** A stage without clusters of its own watches those of the earlier ones. */
export function watchedTargets(turn: Turn, stage: PlanStage): TargetRun[] {
  const own = stageTargets(turn.run, stage);
  const candidates = own.length > 0 ? own : turn.run.targets;
  return candidates.filter(
    target => (target.state === 'Done' || isResting(turn.run, target)) && target.touched,
  );
}

/** Fresh evidence before advancing: healthy *now*, for what this release wrote. */
function isProven(turn: Turn, target: TargetRun): boolean {
  const left = turn.inputs.controls?.left.includes(target.cluster) === true;
  // Where nothing shall be left there is nothing to see.
  const nothing = planTarget(turn, target).to === undefined;
  if (left || nothing || isPutBack(turn.run, target) || evidenceOf(turn, target) === 'healthy') {
    return true;
  }
  const { offline } = forwardPlan(turn.run).rules;
  const since = target.unreachableSince;
  if (since === undefined || offline.policy !== 'Skip') {
    return false;
  }
  wake(turn, since + offline.afterMilliseconds);
  return turn.now >= since + offline.afterMilliseconds;
}
