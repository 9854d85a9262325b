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

/** Keys of the targets in default order; among equals the order of the plan stays. */
export function laneOrder(targets: TargetView[]): string[] {
  return targets
    .map((target, position) => ({ target, position, rank: RANKS[TARGET_STATES[target.state].key] }))
    .sort((a, b) => a.rank - b.rank || a.position - b.position)
    .map(({ target }) => targetKey(target));
}

/** The order that is on the screen, with what has left taken out and what has come put last. */
export function keepOrder(shown: string[], wanted: string[]): string[] {
  const there = new Set(wanted);
  const known = new Set(shown);
  return [...shown.filter(key => there.has(key)), ...wanted.filter(key => !known.has(key))];
}
