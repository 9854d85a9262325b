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

/**
 * Gives an order to a release. A double click counts once.
 *
 * @throws NotFoundError, RefusedError; DocumentsRefusedError `NotBuiltYet` for
 * what this version cannot do
 */
export async function actOnRelease(context: CommandContext, act: ActRequest): Promise<ActResult> {
  const { releaseId, action, actor, request, idempotency } = act;
  if (action === 'rollback' && (await isFinal(context, releaseId))) {
    return rollBackFinal(context, act);
  }
  refuseUnbuilt(action, request);
  const now = context.now();
  const ended = await changeRun<Refusal>(
    context.database,
    releaseId,
    ({ run }) => applyOrder(action, run, { by: actor.onBehalfOf ?? actor.ref, now, request }),
    { now, idempotency },
  );
  if (ended.result === 'refused') {
    throw new RefusedError(ended.refusal);
  }
  if (ended.result === 'changed') {
    const { run } = await loadOne(context, releaseId);
    context.onChange({ releaseId, service: run.service, revision: ended.revision });
  }
  return { id: releaseId, revision: ended.revision, result: ended.result };
}

async function isFinal(context: CommandContext, releaseId: string): Promise<boolean> {
  const { run } = await loadOne(context, releaseId);
  return isFinalRelease(run.state);
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
