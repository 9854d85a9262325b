import { isFinalRelease } from 'backstage-plugin-multicluster-release-common';
import type { ReleaseRun } from '../../decide';
import { forwardPlan, isPutBack, isResting } from '../../decide/turn';
import { newlyTouched, targetOf } from './facts';
import { violation } from './violation';

/** What may be started: how many at once, after how many failures, and when nothing may. */
export function checkBounds(before: ReleaseRun, after: ReleaseRun): void {
  checkConcurrency(before, after);
  checkAttempts(after);
  const names = newlyTouched(before, after)
    .map(({ cluster }) => cluster)
    .join(', ');
  if (names === '') {
    return;
  }
  const stop = standsStill(before, after);
  if (stop) {
    violation('nothing starts while held', `${names} started although ${stop}`);
  }
  checkBudget(before, names);
}

/** Why nothing new may be started, or undefined. */
export function standsStill(before: ReleaseRun, after: ReleaseRun): string | undefined {
  const stops = {
    paused: before.paused,
    'over budget': before.overBudget,
    aborted: before.aborted,
    superseded: before.superseded,
    'going back': before.rollback,
    'its plan changed': before.planChanged,
    queued: before.queuedBehind && after.queuedBehind,
    ended: isFinalRelease(before.state) && before.state !== 'CompletedWithPending',
  };
  return Object.entries(stops).find(([, stop]) => stop)?.[0];
}

function checkAttempts(run: ReleaseRun): void {
  const { retries } = forwardPlan(run).rules;
  for (const { key, attempts } of run.targets) {
    if (attempts > retries) {
      violation('no more attempts than planned', `attempt ${attempts} on ${key}, bound ${retries}`);
    }
  }
}

/** The bound is on what is started: clusters that come back from an outage in the same turn may exceed it. */
function checkConcurrency(before: ReleaseRun, after: ReleaseRun): void {
  if (isFinalRelease(after.state)) {
    return;
  }
  for (const stage of forwardPlan(after).stages) {
    const used = after.targets.filter(
      target => stage.targets.includes(target.key) && usesSlot(after, target),
    );
    const old = used.filter(({ key }) => WORKED_ON.has(targetOf(before, key)?.state ?? ''));
    const returned = old.filter(({ key }) => {
      const was = targetOf(before, key);
      return was?.unreachableSince !== undefined || was?.stoppedSince !== undefined;
    });
    if (used.length > old.length && used.length > stage.concurrency + returned.length) {
      violation(
        'concurrency',
        `${used.length} in flight in stage ${stage.name}, bound ${stage.concurrency}`,
      );
    }
  }
}

const IN_FLIGHT = new Set(['Applying', 'Verifying', 'Soaking']);

/** What is repaired, or tried again by itself, was not started now. */
const WORKED_ON = new Set([...IN_FLIGHT, 'Done', 'Offline']);

function usesSlot(run: ReleaseRun, target: ReleaseRun['targets'][number]): boolean {
  const { state, unreachableSince, stoppedSince } = target;
  if (isResting(run, target)) {
    return false;
  }
  return IN_FLIGHT.has(state) && unreachableSince === undefined && stoppedSince === undefined;
}

/** Above the limit nothing new is started, unless the policy says Continue or a person has seen the failures. */
function checkBudget(before: ReleaseRun, names: string): void {
  const { rules } = forwardPlan(before);
  const failures = before.targets.filter(
    target =>
      target.failure && !target.failure.seen && !target.skip && !isPutBackOfRetry(before, target),
  ).length;
  if (
    failures > rules.maxFailures &&
    rules.onFailure !== 'Continue' &&
    !isFinalRelease(before.state)
  ) {
    violation(
      'failure bound',
      `${names} started after ${failures} failures, limit ${rules.maxFailures}`,
    );
  }
}

/** Put back while others were tried again: a person has decided about the rest. */
function isPutBackOfRetry(run: ReleaseRun, target: ReleaseRun['targets'][number]): boolean {
  return isPutBack(run, target) && run.targets.some(({ failure }) => failure?.seen);
}
