import type { ReleaseRun } from '../../decide';
import { forwardPlan } from '../../decide/turn';
import type { WriteRecord } from '../SimulatedHands';
import { newlyTouched, targetOf, type Facts } from './facts';
import { violation } from './violation';

/** What is ordered is what is planned: one cluster, to which nothing comes instead. */
export function checkRemovalOrder(run: ReleaseRun, facts: Facts): void {
  const { cluster } = facts.removals.get(run.id) ?? {};
  const wrong = forwardPlan(run).targets.filter(target => target.cluster !== cluster || target.to);
  if (wrong.length > 0 || run.targets.length !== 1) {
    const names = run.targets.map(({ key }) => key).join(', ');
    violation('a removal is for one cluster', `${run.id} reaches ${names}, ordered for ${cluster}`);
  }
}

/** Asked after every turn of a removal. */
export function checkRemovalTurn(before: ReleaseRun, after: ReleaseRun, facts: Facts): void {
  const removal = facts.removals.get(after.id);
  if (!removal) {
    return;
  }
  const mayBeLast = removal.last || facts.accepted.has(after.id);
  if (!mayBeLast && newlyTouched(before, after).length > 0 && !runsElsewhere(after, facts)) {
    violation('nothing is removed where it is the last', `${after.id} empties ${removal.cluster}`);
  }
  for (const { key, state, cluster } of after.targets) {
    if (state === 'Done' && targetOf(before, key)?.state !== 'Done') {
      checkGone(cluster, after, facts);
    }
  }
}

/** By our record: proven there, and nobody is taking it away. */
function runsElsewhere({ targets }: ReleaseRun, { database, removals }: Facts): boolean {
  const own = new Set(targets.map(({ key }) => key));
  const leaving = new Set(
    database
      .active()
      .filter(({ run }) => removals.has(run.id) && run.queuedBehind === undefined)
      .flatMap(({ run }) => run.targets.map(({ key }) => key)),
  );
  return [...database.running].some(
    ([key, { digest, wantedSequence, observedSequence }]) =>
      !own.has(key) &&
      !leaving.has(key) &&
      digest !== undefined &&
      wantedSequence === observedSequence,
  );
}

function checkGone(cluster: string, run: ReleaseRun, facts: Facts): void {
  const foreign = facts.foreign.get(cluster) ?? [];
  const there = facts.clusters.get(cluster)?.objectNames() ?? [];
  const left = there.filter(name => !foreign.includes(name));
  if (left.length > 0) {
    violation('what is removed is gone', `${run.id} is done with ${cluster}, which has ${left}`);
  }
}

/** What was there before us stays, whoever stamped it since. */
export function checkForeign({ kind, cluster, object }: WriteRecord, { foreign }: Facts): void {
  if (kind === 'remove' && foreign.get(cluster)?.includes(object)) {
    violation('what was there before us stays', `${object} on ${cluster} is removed`);
  }
}
