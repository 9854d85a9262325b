import type { ReleaseRun } from '../../decide';
import { forwardPlan, isPutBack } from '../../decide/turn';
import { DEPENDENCY } from '../SimulatedControls';
import type { WriteRecord } from '../SimulatedHands';
import { isClosed } from '../windows';
import { planOfSequence, rowOf, targetOf, type Facts } from './facts';
import { violation } from './violation';

/** Under an emergency stop nothing is written, once the replica must have noticed it. */
export function checkStopped(write: WriteRecord, facts: Facts): void {
  const run = rowOf(facts, write.sequence)?.run;
  const plan = run && planOfSequence(facts, run, write.sequence);
  for (const stop of facts.database.controls.stops.values()) {
    const goesBack = run && plan?.kind === 'rollback' && !facts.removals.has(run.id);
    const allowed = stop.allowRollback && goesBack;
    const late = facts.now() > facts.noticedAfter(write.holder, stop.since);
    if (late && !allowed && stop.clusters.includes(write.cluster)) {
      violation(
        'under an emergency stop nothing is written',
        `${JSON.stringify(write)}, stopped ${facts.now() - stop.since} ms before`,
      );
    }
  }
}

function isMissing(run: ReleaseRun, cluster: string, facts: Facts): boolean {
  const { dependencies } = facts.database.controls;
  return (forwardPlan(run).rules.dependsOn ?? []).some(({ on }) => {
    const places = on === 'all' && dependencies.size > 0 ? [...dependencies.keys()] : [cluster];
    return places.some(place => dependencies.get(place) !== DEPENDENCY.ready);
  });
}

const NOT_STARTED = new Set(['Pending', 'Offline', 'Blocked']);

/**
 * No cluster is started that a stop, a cordon or a window keeps from it: the turn
 * has read them. What goes back is free of them; a removal is of cordons alone.
 */
export function checkStarts(before: ReleaseRun, after: ReleaseRun, facts: Facts): void {
  const isForward = after.plans[0].kind === 'forward';
  if (!isForward && !facts.removals.has(after.id)) {
    return;
  }
  const { controls } = facts.database;
  const own = forwardPlan(after).rules.windows ?? [];
  const closed = [[...controls.windows.values()], own].some(layer => isClosed(layer, facts.now()));
  const stops = [...controls.stops.values()];
  const started = after.targets.filter(
    target =>
      target.state === 'Applying' &&
      !isPutBack(after, target) &&
      NOT_STARTED.has(targetOf(before, target.key)?.state ?? ''),
  );
  for (const { key, cluster, touched } of started.filter(target => !target.touched)) {
    const obstacle =
      (closed && 'a window is closed') ||
      (isForward && controls.cordons.has(cluster) && 'it is cordoned') ||
      (isForward && isMissing(after, cluster, facts) && 'it depends on what is not there') ||
      (stops.some(({ clusters }) => clusters.includes(cluster)) && 'it is stopped');
    if (obstacle && !touched) {
      violation('nothing starts against an order', `${key} started although ${obstacle}`);
    }
  }
}
