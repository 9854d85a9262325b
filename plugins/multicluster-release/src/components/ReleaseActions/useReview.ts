import { useCallback, useState } from 'react';
import {
  isFinalRelease,
  type ActionName,
  type ActionRequest,
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
  /** The gate that the person saw: of approve, reject and skip-gate. */
  gate?: string;
  /** The plan that the person saw. */
  planHash: string;
  /** accept: what stands for everything that the person saw. */
  toAccept: Pick<ActionRequest, 'planHash' | 'risksHash'>;
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
    gate: seen.gate,
    planHash: seen.planHash,
    toAccept: seen.toAccept,
  };
}

function look(action: ActionName, release: ReleaseView) {
  const { expectedStage, params } = release.actions[action];
  return {
    mark: markOf(action, release),
    idempotencyKey: newIdempotencyKey(),
    expectedStage,
    gate: params?.gate === undefined ? undefined : String(params.gate),
    planHash: release.plan.hash,
    toAccept: hashesToAccept(release),
  };
}

function hashesToAccept({ actions }: ReleaseView): Review['toAccept'] {
  const { planHash, risksHash } = actions.accept.params ?? {};
  return {
    planHash: planHash === undefined ? undefined : String(planHash),
    risksHash: risksHash === undefined ? undefined : String(risksHash),
  };
}

/** They stay right while the release moves, until it ends. */
const PROTECTING: readonly ActionName[] = ['abort', 'reject', 'rollback', 'skip-cluster'];

/** What matters to the decision. */
function markOf(action: ActionName, release: ReleaseView): string {
  const final = isFinalRelease(release.state);
  const { allowed, params } = release.actions[action];
  if (PROTECTING.includes(action)) {
    return JSON.stringify([release.id, final, allowed]);
  }
  return JSON.stringify([
    release.id,
    final,
    allowed,
    params?.gate,
    release.stage?.index,
    release.plan.hash,
    action === 'accept' ? hashesToAccept(release) : undefined,
  ]);
}
