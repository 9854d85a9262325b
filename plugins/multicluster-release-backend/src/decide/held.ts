import type { Turn } from './turn';

/** True while nothing new may be started and no stage may be passed. */
export function isHeld(turn: Turn): boolean {
  const { paused, overBudget, aborted, superseded, rollback, planChanged, queuedBehind } = turn.run;
  return [paused, overBudget, aborted, superseded, rollback, planChanged, queuedBehind].some(
    value => value !== undefined,
  );
}
