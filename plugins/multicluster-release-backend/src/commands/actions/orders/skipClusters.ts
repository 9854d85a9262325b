import type { ReleaseRun } from '../../../decide/types';
import type { Refusal } from '../../errors';
import { isSkippable } from '../allowed';
import type { Order } from '../changes';
import { isChosen } from '../chosen';

/** Takes clusters out of the release; they do not count as failed. */
export function skipClusters(run: ReleaseRun, { by, now, request }: Order): Refusal | undefined {
  if (!request.targets?.length) {
    return {
      code: 'NotAllowed',
      message: 'Name the clusters to skip, in targets.',
      params: { action: 'skip-cluster' },
    };
  }
  const chosen = run.targets.filter(
    target => isChosen(target, request) && isSkippable(run, target),
  );
  if (chosen.length === 0) {
    return {
      code: 'NotAllowed',
      message: 'Each of the named clusters is done, or on its way back.',
      params: { action: 'skip-cluster' },
    };
  }
  for (const target of chosen) {
    target.skip = { by, at: now, reason: request.reason };
    target.failure = undefined;
  }
  // What is left is looked at anew.
  run.overBudget = undefined;
  return undefined;
}
