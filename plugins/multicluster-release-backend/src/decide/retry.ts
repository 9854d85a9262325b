import { moveTarget } from './move';
import type { ReleaseRun, TargetRun } from './types';

/** A person lets failed targets try again, with clean counters; stages and slots decide when. */
export function retryFailed(
  run: ReleaseRun,
  chosen: (target: TargetRun) => boolean = () => true,
): TargetRun[] {
  const retried = run.targets.filter(
    target => target.state === 'Failed' && target.failure !== undefined && chosen(target),
  );
  for (const target of retried) {
    moveTarget(target, 'Pending');
    target.position = 0;
    target.attempts = 0;
    target.tries = (target.tries ?? 0) + 1;
    target.failure = undefined;
    target.message = undefined;
    target.writtenAt = undefined;
    target.healthyAt = undefined;
    target.retryAt = undefined;
    target.retries = undefined;
  }
  if (retried.length > 0) {
    run.overBudget = undefined;
    leaveTheOthers(run);
  }
  return retried;
}

/** Who lets some try again has seen the rest: they stay as they are, and pause the release no more. */
function leaveTheOthers(run: ReleaseRun): void {
  for (const { state, failure } of run.targets) {
    if (state === 'Failed' && failure) {
      failure.seen = true;
    }
  }
}
