import type { Waiting } from 'backstage-plugin-multicluster-release-common';
import { cause } from './cause';
import { isHeld } from './held';
import { obstacleOf } from './obstacles';
import { forwardPlan, stageTargets, type Turn } from './turn';

/** Why clusters of the current stage whose turn has come are not started. */
export function startCauses(turn: Turn): Waiting[] {
  const { run } = turn;
  const stage = forwardPlan(run).stages[run.stage];
  if (!stage || isHeld(turn)) {
    return [];
  }
  const waiting = stageTargets(run, stage).filter(
    target => target.state === 'Pending' && target.unreachableSince === undefined,
  );
  const obstacles = waiting.flatMap(target => obstacleOf(turn, target) ?? []);
  if (obstacles.length === 0 && turn.heldByBound && waiting.length > 0) {
    const { used, max } = turn.heldByBound;
    const since = run.stages[run.stage]?.startedAt ?? run.createdAt;
    const message = `Waiting for a free slot (${used} of ${max} in use)`;
    return [cause('slot', since, message, { used, max })];
  }
  const distinct = new Map(obstacles.map(each => [JSON.stringify([each.code, each.params]), each]));
  return [...distinct.values()]
    .filter(({ code }) => code !== 'stopall')
    .map(({ code, since, message, params, until, who }) =>
      cause(code, since, message, params, { until, who }),
    );
}
