import type {
  AnalyseData,
  Effect,
  Outcome,
  TargetObservation,
} from 'backstage-plugin-multicluster-release-node';
import { expectedEffect } from './effects';
import { jobsOf } from './jobs';
import { failTarget } from './failure';
import { endPhase, isPutBack, targetEvent, type Turn } from './turn';
import { moveTarget } from './move';
import type { TargetRun } from './types';

const FIRST_RETRY_MILLISECONDS = 1_000;
const LONGEST_RETRY_MILLISECONDS = 30_000;
const UNCHANGED_REPORT_MILLISECONDS = 15_000;
/** Who was silent for less is tried again at the pace of failures, so that one that is seen and yet does not answer costs little. */
const SILENCE_MILLISECONDS = 5_000;
/** A write whose answer was lost has landed or failed after this: it is sent with a time-out of 10 s for the API server. */
const LATE_LANDING_MILLISECONDS = 12_000;

/** Takes in the ends of effects. One that no longer fits the target's step is old news and changes nothing. */
export function absorbOutcomes(turn: Turn): void {
  for (const { effect, outcome } of turn.inputs.outcomes) {
    const target = turn.run.targets.find(({ key }) => key === effect.key);
    if (target && expectedEffect(turn, target)?.id === effect.id) {
      absorbOutcome(turn, target, effect, outcome);
    }
  }
}

function absorbOutcome(turn: Turn, target: TargetRun, effect: Effect, outcome: Outcome): void {
  if (outcome.result !== 'unreachable' && outcome.result !== 'leaseLost') {
    // Whatever it says, the cluster has answered.
    markReachable(turn, target);
  }
  switch (outcome.result) {
    case 'done':
      if (outcome.data?.kind === 'analyse' && outcome.data.verdict !== 'passed') {
        notPassed(turn, target, outcome.data);
      } else {
        stepDone(turn, target, effect, outcome);
      }
      return;
    case 'changedSincePreview':
      moveTarget(target, 'Blocked');
      target.changedRisks = { message: outcome.message, risks: outcome.risks };
      target.message = outcome.message;
      target.retryAt = undefined;
      target.retries = undefined;
      endPhase(turn, target);
      targetEvent(
        turn,
        target,
        'ChangedSincePreview',
        `changed since the preview: ${outcome.message}`,
      );
      return;
    case 'refused':
      refused(turn, target, outcome);
      return;
    case 'unreachable':
      expectLateLanding(turn, target, effect);
      markUnreachable(turn, target, turn.now, outcome.message);
      retryLater(turn, target, outcome.message);
      return;
    default:
      // `retry`, and `leaseLost`: if the lease is truly lost this turn's write is refused anyway.
      expectLateLanding(turn, target, effect);
      retryLater(turn, target, outcome.message);
  }
}

function stepDone(
  turn: Turn,
  target: TargetRun,
  effect: Effect,
  outcome: Extract<Outcome, { result: 'done' }>,
): void {
  const { data } = outcome;
  if (data) {
    target.inventory = data.inventory;
  }
  if (data?.kind === 'check') {
    target.beforeDigest ??= data.beforeDigest;
  }
  if (data?.kind === 'weight' && effect.weight) {
    target.weight = {
      wanted: effect.weight.percent,
      reached: data.reached,
      ...(data.reached < 100 ? { pods: data.pods.canary } : {}),
      ...(data.partial ? { partial: true } : {}),
    };
  }
  if (effect.kind === 'apply' || effect.kind === 'weight') {
    target.ticket = effect.stamp.ticket;
    target.appliedAt = turn.now;
  }
  if (effect.kind === 'analyse') {
    target.passedJobs = jobsOf(turn, target);
  }
  target.retryAt = undefined;
  target.retries = undefined;
  target.message = undefined;
  target.position += 1;
}

/** What a write without an answer may still make, nothing on the cluster can refuse: a create has no precondition. */
function expectLateLanding(turn: Turn, target: TargetRun, { kind }: Effect): void {
  if (kind !== 'check' && kind !== 'remove') {
    target.unsettledUntil = turn.now + LATE_LANDING_MILLISECONDS;
  }
}

/** How soon a Job that still runs is asked again. */
const JOB_MILLISECONDS = 2_000;

function notPassed(turn: Turn, target: TargetRun, data: AnalyseData): void {
  target.inventory = data.inventory;
  target.message = data.message;
  target.retries = undefined;
  if (data.verdict === 'failed') {
    target.retryAt = undefined;
    failTarget(turn, target, 'MetricFailed', data.message ?? 'a Job did not end well');
  } else {
    target.retryAt = turn.now + JOB_MILLISECONDS;
  }
}

function refused(
  turn: Turn,
  target: TargetRun,
  outcome: Extract<Outcome, { result: 'refused' }>,
): void {
  if (!isPutBack(turn.run, target)) {
    failTarget(turn, target, 'Refused', outcome.message);
    return;
  }
  moveTarget(target, outcome.reason === 'ContentWithheld' ? 'RollbackImpossible' : 'Failed');
  target.message = outcome.message;
  endPhase(turn, target);
  targetEvent(turn, target, 'RollbackIncomplete', `could not be put back: ${outcome.message}`);
}

/** Doubles from 1 s to 30 s; no jitter, since decide is pure and clusters are independent. */
function retryLater(turn: Turn, target: TargetRun, message: string): void {
  target.retries = (target.retries ?? 0) + 1;
  const delay = Math.min(
    LONGEST_RETRY_MILLISECONDS,
    FIRST_RETRY_MILLISECONDS * 2 ** Math.min(target.retries - 1, 5),
  );
  target.retryAt = turn.now + delay;
  target.message = message;
}

export function absorbObservations(turn: Turn): void {
  for (const target of turn.run.targets) {
    const observation = turn.observations.get(target.key);
    if (observation) {
      absorbObservation(turn, target, observation);
    }
  }
}

function absorbObservation(turn: Turn, target: TargetRun, observation: TargetObservation): void {
  if (!observation.reachable) {
    if (target.touched) {
      target.health = { state: 'Unknown', message: observation.health.message };
    }
    markUnreachable(turn, target, observation.at, observation.health.message);
    return;
  }
  if (target.touched && isNews(target, observation)) {
    target.health = observation.health;
    target.reportedAt = observation.at;
  }
  // An answer from before the silence is not news.
  if (observation.at > (target.unreachableSince ?? 0)) {
    markReachable(turn, target);
  }
}

/** An unchanged report is written down now and then only: not every glance is worth a row in the database. */
function isNews(target: TargetRun, observation: TargetObservation): boolean {
  const changed = JSON.stringify(target.health) !== JSON.stringify(observation.health);
  return changed || observation.at - (target.reportedAt ?? 0) >= UNCHANGED_REPORT_MILLISECONDS;
}

function markUnreachable(turn: Turn, target: TargetRun, since: number, message?: string): void {
  if (target.unreachableSince !== undefined) {
    return;
  }
  target.unreachableSince = Math.min(since, turn.now);
  targetEvent(turn, target, 'Unreachable', `did not answer${message ? `: ${message}` : ''}`);
}

/** Time-outs stand still while a cluster cannot be reached: its absence proves nothing about the version. */
function markReachable(turn: Turn, target: TargetRun): void {
  if (target.unreachableSince === undefined) {
    return;
  }
  if (target.timeoutAt !== undefined) {
    target.timeoutAt += turn.now - target.unreachableSince;
  }
  if (target.unsettledUntil !== undefined) {
    // A frozen API server takes up what was sent to it only now.
    target.unsettledUntil = turn.now + LATE_LANDING_MILLISECONDS;
  }
  if (turn.now - target.unreachableSince >= SILENCE_MILLISECONDS) {
    target.retryAt = undefined;
  }
  target.unreachableSince = undefined;
  target.offlineSince = undefined;
  if (target.state === 'Offline') {
    moveTarget(target, target.touched ? 'Verifying' : 'Pending');
  }
  if (target.state === 'RollbackPending') {
    moveTarget(target, 'RollingBack');
  }
  targetEvent(turn, target, 'ReachableAgain', 'answers again');
}
