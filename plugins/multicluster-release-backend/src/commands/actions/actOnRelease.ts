import { NotFoundError } from '@backstage/errors';
import {
  isFinalRelease,
  type ActionName,
  type ActionRequest,
} from 'backstage-plugin-multicluster-release-common';
import { changeRun, loadRuns, type IdempotencyKey } from '../../store';
import type { Actor, CommandContext } from '../CommandContext';
import { DocumentsRefusedError, RefusedError, type Refusal } from '../errors';
import { rollBackFinal } from '../releases/rollBackFinal';
import { applyOrder } from './changes';

export interface ActRequest {
  releaseId: string;
  action: ActionName;
  actor: Actor;
  request: ActionRequest;
  idempotency?: IdempotencyKey;
}

export interface ActResult {
  /** The release to look at next: a new one where a final release was rolled back. */
  id: string;
  revision?: number;
  result: 'changed' | 'unchanged' | 'repeated' | 'created';
}

/** The way back of an ended release is a new release. */
const ENDED: Refusal = { code: 'NotAllowed', message: 'The release has ended.' };

/**
 * Gives an order to a release. A double click counts once.
 *
 * @throws NotFoundError, RefusedError; DocumentsRefusedError `NotBuiltYet` for
 * what this version cannot do
 */
export async function actOnRelease(context: CommandContext, act: ActRequest): Promise<ActResult> {
  const { releaseId, action, actor, request, idempotency } = act;
  const now = context.now();
  const ended = await changeRun<Refusal>(
    context.database,
    releaseId,
    ({ run }) => {
      // Asked with the release locked: one that ends meanwhile would take the order and never act on it.
      if (action === 'rollback' && isFinalRelease(run.state)) {
        return { refusal: ENDED };
      }
      refuseUnbuilt(action, request);
      const by = actor.onBehalfOf ?? actor.ref;
      const applied = applyOrder(action, run, { by, now, request });
      const hold = action === 'accept' ? run.planChanged?.hold : undefined;
      return 'refusal' in applied || !hold
        ? applied
        : { ...applied, liftHolds: { versions: [hold.version], by, reason: request.reason } };
    },
    { now, idempotency },
  );
  if (ended.result === 'refused') {
    if (ended.refusal === ENDED) {
      return rollBackFinal(context, act);
    }
    throw new RefusedError(ended.refusal);
  }
  if (ended.result === 'repeated') {
    return { id: ended.releaseId, revision: ended.revision, result: ended.result };
  }
  if (ended.result === 'changed') {
    const { run } = await loadOne(context, releaseId);
    context.onChange({ releaseId, service: run.service, revision: ended.revision });
  }
  return { id: releaseId, revision: ended.revision, result: ended.result };
}

async function loadOne({ database }: CommandContext, releaseId: string) {
  const loaded = (await loadRuns(database, [releaseId])).get(releaseId);
  if (!loaded) {
    throw new NotFoundError(
      `Release ${releaseId} does not exist; it may have been removed with old records`,
    );
  }
  return loaded;
}

/** A field that would be ignored is refused instead. */
function refuseUnbuilt(action: ActionName, request: ActionRequest): void {
  const unbuilt =
    action === 'rollback' ? (['targets', 'toVersion'] as const) : (['toVersion'] as const);
  const given = unbuilt.filter(field => request[field] !== undefined);
  if (given.length > 0) {
    throw new DocumentsRefusedError(
      'NotBuiltYet',
      given.map(path => ({
        code: 'NotBuiltYet',
        path,
        message: `is not built yet for a ${action} of a release that has not ended.`,
      })),
    );
  }
}
