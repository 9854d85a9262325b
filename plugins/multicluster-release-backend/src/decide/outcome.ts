import type { ContentRef, TargetKey } from 'backstage-plugin-multicluster-release-common';
import { inScope, isRestore, wayBack } from './rollback';
import { forwardPlan, isPutBack } from './turn';
import type { ReleaseRun } from './types';

/**
 * What a release that has not ended leaves behind, as its orders are now.
 * Targets that it does not write to any more are not among them: there stays
 * what is on record.
 */
export function outcomeOf(run: ReleaseRun): Map<TargetKey, ContentRef | undefined> {
  const outcome = new Map<TargetKey, ContentRef | undefined>();
  const order = isRestore(run) ? undefined : run.rollback;
  const ordered = new Set(order && inScope(run, order.scope));
  const planned = new Map(forwardPlan(run).targets.map(({ key, to }) => [key, to]));
  for (const target of run.targets) {
    if (ordered.has(target) || isPutBack(run, target)) {
      outcome.set(target.key, wayBack(run, target));
    } else if (target.touched || !(order || run.aborted || target.state === 'Skipped')) {
      outcome.set(target.key, planned.get(target.key));
    }
  }
  return outcome;
}
