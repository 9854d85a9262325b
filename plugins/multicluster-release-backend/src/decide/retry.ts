import { moveTarget } from './move';
import { forgetSkips } from './skips';
import { forwardPlan, gateSteps } from './turn';
import type { ReleaseRun, StageRun, TargetRun } from './types';

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
    // Whoever tries again may know that it is back: how long it has been silent counts anew.
    target.unreachableSince = undefined;
    target.offlineSince = undefined;
    forgetSkips(run, target.key);
  }
  if (retried.length > 0) {
    askAnew(run, retried);
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

/** What people said of the last attempt says nothing of the next one: its gate begins anew, and asks again. */
function askAnew(run: ReleaseRun, retried: TargetRun[]): void {
  const stage = forwardPlan(run).stages[run.stage];
  const stageRun = run.stages[run.stage];
  // A stage without clusters of its own watches those of the earlier ones.
  const isTheirs =
    stage?.targets.length === 0 || retried.some(({ key }) => stage?.targets.includes(key));
  if (!stage || !isTheirs) {
    return;
  }
  const before = new Set(
    gateSteps(stage).flatMap(({ id, when }) => (when === 'before' ? [id] : [])),
  );
  stageRun.gateAt = undefined;
  stageRun.promotedBy = undefined;
  // What is asked before the first cluster has been answered for all attempts.
  stageRun.approvals = stageRun.approvals?.filter(({ stepId }) => before.has(stepId));
  // What was let go for single clusters holds for those that do not try again.
  stageRun.skipped = stageRun.skipped?.filter(
    ({ stepId, keys }) => before.has(stepId) || keys !== undefined,
  );
}

/** How often people have answered for the stage: with a vote, a promotion, or by letting a step go. */
export function answersOf({ approvals = [], promotedBy, skipped = [] }: StageRun): number {
  const votes = approvals.reduce((sum, question) => sum + question.votes.length, 0);
  return votes + skipped.length + (promotedBy === undefined ? 0 : 1);
}
