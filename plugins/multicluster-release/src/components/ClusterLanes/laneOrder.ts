import {
  TARGET_STATES,
  targetKey,
  type StatusKey,
  type TargetView,
} from 'backstage-plugin-multicluster-release-common';

/** What needs a look first: failed, waiting, running, not started, done. */
const RANKS: Record<StatusKey, number> = {
  failed: 0,
  rolledBack: 1,
  unknown: 2,
  paused: 3,
  waiting: 3,
  running: 4,
  pending: 5,
  stopped: 6,
  skipped: 6,
  done: 7,
};

/** What goes on by itself has one rank: a cluster that starts does not move with each of its phases. */
function rankOf({ state }: TargetView): number {
  return state === 'Soaking' ? RANKS.running : RANKS[TARGET_STATES[state].key];
}

/** Keys of the targets in default order; among equals the order of the plan stays. */
export function laneOrder(targets: TargetView[]): string[] {
  return targets
    .map((target, position) => ({ target, position, rank: rankOf(target) }))
    .sort((a, b) => a.rank - b.rank || a.position - b.position)
    .map(({ target }) => targetKey(target));
}
