import { sha256 } from '../../decide/sha256';
import type { ReleaseRun } from '../../decide/types';

/**
 * Stands for every blocked cluster and what has changed there: who sends it back
 * has seen all of it. Undefined where nothing is blocked.
 */
export function risksHash({ targets }: ReleaseRun): string | undefined {
  const blocked = targets.flatMap(({ key, changedRisks }) =>
    changedRisks ? [[key, ...[...changedRisks.risks].sort()]] : [],
  );
  const inOrder = blocked.sort(([one], [other]) => (one < other ? -1 : 1));
  return inOrder.length === 0 ? undefined : sha256(JSON.stringify(inOrder));
}
