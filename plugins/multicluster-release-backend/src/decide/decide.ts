import {
  counted,
  isFinalRelease,
  onlyWaits,
  type ReleaseState,
  type Waiting,
} from 'backstage-plugin-multicluster-release-common';
import { absorbObservations, absorbOutcomes } from './absorb';
import { dueEffects, haltedTargets, observeRequests } from './effects';
import { answerFailures, answerLateFailures } from './failure';
import { finishRelease, hasPendingWork } from './finish';
import { askReadings, countReadings } from './metrics';
import { tellStates } from './move';
import { settleLeavers, settleStops, windowOf } from './orders';
import { takeTurn } from './queue';
import { settleReachability } from './reachability';
import { startRollback } from './rollback';
import { settleSkips } from './skip';
import { advanceStages, mayStart, startTarget } from './stage';
import { isPutBack, isResting, releaseEvent, wake, type Turn } from './turn';
import type { DecideSettings, Decision, Inputs, ReleaseRun, TargetRun } from './types';
import { toldCauses, waitingCauses } from './waiting';
import { walkTarget } from './walk';

/**
 * What to do next with a release: pure, no clock, no I/O, no randomness.
 *
 * The order matters: first what came in, then orders by people, then every
 * target on its own, then answers to failures, then the stages, then the end.
 * Nothing is performed before the returned run is written down, so whatever an
 * effect may leave behind is on record before it starts.
 */
export function decide(
  before: ReleaseRun,
  inputs: Inputs,
  now: number,
  settings: DecideSettings,
): Decision {
  const run = structuredClone(before);
  const observations = new Map(
    inputs.observations.map(observation => [observation.key, observation]),
  );
  const turn: Turn = {
    run,
    inputs,
    now,
    settings,
    observations,
    events: [],
    measure: [],
    measurements: [],
  };
  absorbOutcomes(turn);
  absorbObservations(turn);
  if (isFinalRelease(run.state)) {
    followUp(turn);
  } else {
    progress(turn);
  }
  run.needsWork = hasWork(turn);
  lookAgainSoon(turn);
  const causes = waitingCauses(turn);
  if (!isFinalRelease(run.state)) {
    run.state = activeState(run, causes);
  }
  run.waiting = toldCauses(causes);
  tellStates(turn, before);
  return {
    run,
    effects: dueEffects(turn),
    observe: observeRequests(turn, isFinalRelease(run.state)),
    events: turn.events,
    hold: turn.hold,
    halt: haltedTargets(turn),
    measure: turn.measure,
    measurements: turn.measurements,
    wakeAt: turn.wakeAt,
  };
}

/** Behind another release there is nothing to do until that one has ended. */
function hasWork(turn: Turn): boolean {
  const { run, inputs } = turn;
  if (isFinalRelease(run.state)) {
    return hasPendingWork(turn);
  }
  return run.queuedBehind === undefined || inputs.queue?.aheadEnded === true;
}

/** An observation may grow old without any news, and fresh again in the same way. */
const LOOK_AGAIN_MILLISECONDS = 1_000;

function lookAgainSoon(turn: Turn): void {
  if (turn.run.targets.some(target => isBusy(turn, target))) {
    wake(turn, turn.now + LOOK_AGAIN_MILLISECONDS);
  }
}

function progress(turn: Turn): void {
  const { run } = turn;
  takeTurn(turn);
  beginRelease(turn);
  if (run.aborted || run.superseded || run.rollback) {
    // Who stops or goes back no longer waits for people; time-outs run again.
    run.paused = undefined;
    run.overBudget = undefined;
  }
  standStill(turn);
  settleStops(turn);
  startRollback(turn);
  settleLeavers(turn);
  settleSkips(turn);
  settleReachability(turn);
  countReadings(turn);
  walkAndAnswer(turn);
  advanceStages(turn);
  // Targets that a stage has just started, or that a rollback has just turned, take their first step now.
  walkAndAnswer(turn);
  askReadings(turn);
  finishRelease(turn);
  if (!isFinalRelease(run.state)) {
    // So do those that the end has turned: what they write is on record before it is sent.
    run.targets.forEach(target => walkTarget(turn, target));
  }
}

function walkAndAnswer(turn: Turn): void {
  turn.run.targets.forEach(target => walkTarget(turn, target));
  answerFailures(turn);
}

function beginRelease(turn: Turn): void {
  const { run } = turn;
  if (run.startedAt === undefined && run.queuedBehind === undefined && !run.planChanged) {
    run.startedAt = turn.now;
    releaseEvent(
      turn,
      'ReleaseStarted',
      `release of ${run.targetVersion} to ${counted(run.targets.length, 'cluster')} starts`,
      {
        params: { version: run.targetVersion, count: run.targets.length },
      },
    );
  }
}

/** Time-outs stand still while paused, waiting for people, or outside of a window (design.md 4.5). */
function standStill(turn: Turn): void {
  const { run } = turn;
  const still = run.paused !== undefined || run.overBudget !== undefined || !windowOf(turn).open;
  if (still) {
    run.stoodStillSince ??= turn.now;
    return;
  }
  if (run.stoodStillSince !== undefined) {
    const shift = turn.now - run.stoodStillSince;
    for (const target of run.targets) {
      // What goes back did not stand still.
      if (target.timeoutAt !== undefined && !isPutBack(run, target)) {
        target.timeoutAt += shift;
      }
    }
    run.stoodStillSince = undefined;
  }
}

/** Work that is left after the end: clusters that return catch up, or finish their rollback. */
function followUp(turn: Turn): void {
  const { run } = turn;
  settleStops(turn);
  settleLeavers(turn);
  settleReachability(turn);
  for (const target of run.targets) {
    if (run.state === 'CompletedWithPending' && mayStart(turn, target)) {
      startTarget(turn, target);
    }
    walkTarget(turn, target);
  }
  answerLateFailures(turn);
  run.targets.forEach(target => walkTarget(turn, target));
}

function activeState(run: ReleaseRun, causes: readonly Waiting[]): ReleaseState {
  if (run.rollback) {
    return 'RollingBack';
  }
  if (run.paused) {
    return 'Paused';
  }
  if (run.queuedBehind !== undefined) {
    return 'Pending';
  }
  return onlyWaits(causes.map(({ code }) => code)) ? 'Waiting' : 'Progressing';
}

const BUSY = new Set(['Applying', 'Verifying', 'Soaking', 'RollingBack']);

function isBusy({ run }: Turn, target: TargetRun): boolean {
  return BUSY.has(target.state) && !isResting(run, target);
}
