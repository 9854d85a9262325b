import { useCallback, useState } from 'react';
import {
  isFinalRelease,
  type ActionName,
  type ReleaseView,
} from 'backstage-plugin-multicluster-release-common';
import { newIdempotencyKey } from '../../api';

export interface Review {
  /** The release is another than the one that was looked at; nothing may be sent. */
  moved: boolean;
  /** Looked at again. */
  again: () => void;
  /** Of the click that is intended; the same until somebody looks again. */
  idempotencyKey: string;
  /** The stage that the person saw. */
  expectedStage?: number;
}

/** Holds what a person saw when a dialog opened, and says when that is no longer so. */
export function useReview(action: ActionName, release: ReleaseView): Review {
  const [seen, setSeen] = useState(() => look(action, release));
  const again = useCallback(() => setSeen(look(action, release)), [action, release]);
  return {
    moved: seen.mark !== markOf(action, release),
    again,
    idempotencyKey: seen.idempotencyKey,
    expectedStage: seen.expectedStage,
  };
}

function look(action: ActionName, release: ReleaseView) {
  return {
    mark: markOf(action, release),
    idempotencyKey: newIdempotencyKey(),
    expectedStage: release.actions[action].expectedStage,
  };
}

/**
 * What matters to the decision. Stopping and rolling back protect: they stay
 * right while the release moves, until it ends.
 */
function markOf(action: ActionName, release: ReleaseView): string {
  const final = isFinalRelease(release.state);
  const { allowed } = release.actions[action];
  if (action === 'abort' || action === 'rollback') {
    return JSON.stringify([release.id, final, allowed]);
  }
  return JSON.stringify([release.id, final, allowed, release.stage?.index, release.plan.hash]);
}
