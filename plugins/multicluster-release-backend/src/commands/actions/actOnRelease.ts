import { InputError, NotFoundError } from '@backstage/errors';
import type {
  ActionName,
  ActionRequest,
  ContentRef,
  TargetKey,
} from 'backstage-plugin-multicluster-release-common';
import { changeRun, loadRuns, type IdempotencyKey } from '../../store';
import type { Actor, CommandContext } from '../CommandContext';
import { DocumentsRefusedError, RefusedError, type Refusal } from '../errors';
import { contentsOfVersion } from '../releases/contentsOfVersion';
import { rollBackFinal } from '../releases/rollBackFinal';
import type { ApprovingViewer, Asker } from './approving';
import { changeByAct, ENDED } from './changeByAct';

export interface ActRequest {
  releaseId: string;
  action: ActionName;
  actor: Actor;
  request: ActionRequest;
  /** Who approves, rejects or lets a gate go, with their groups. */
  approver?: ApprovingViewer;
  /** Who started the release: the caller, and for whom it called. */
  starters?: Asker['starters'];
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
 * @throws NotFoundError, RefusedError, InputError; DocumentsRefusedError where accept does not say what
 */
export async function actOnRelease(context: CommandContext, act: ActRequest): Promise<ActResult> {
  const { releaseId, action, actor, request, idempotency } = act;
  const now = context.now();
  requireReason(action, request);
  const contents = await chosenContents(context, act);
  const ended = await changeRun<Refusal>(
    context.database,
    releaseId,
    ({ run }, holds) =>
      changeByAct(run, holds, { ...act, by: actor.onBehalfOf ?? actor.ref, now, contents }),
    { now, idempotency },
  );
  if (ended.result === 'refused') {
    if (ended.refusal === ENDED) {
      return rollBackFinal(context, act);
    }
    throw errorOf(ended.refusal);
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

/** What is not said is a fault of the request, not of the state that the release is in. */
function errorOf(refusal: Refusal): Error {
  const { code, message } = refusal;
  return code === 'RisksNotNamed' || code === 'PlanNotNamed'
    ? new DocumentsRefusedError(code, [{ code, message }])
    : new RefusedError(refusal);
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

/** What releases of the version of choice brought to each cluster. */
async function chosenContents(
  context: CommandContext,
  { action, releaseId, request }: ActRequest,
): Promise<ReadonlyMap<TargetKey, ContentRef> | undefined> {
  if (action !== 'rollback' || request.toVersion === undefined) {
    return undefined;
  }
  const { run } = await loadOne(context, releaseId);
  return contentsOfVersion(context, run.service, request.toVersion);
}

const SHORTEST_REASON = 10;
/** What overrules other people's rules says why. */
const NEEDS_REASON = new Set<ActionName>(['skip-gate', 'reject']);

function requireReason(action: ActionName, { reason = '' }: ActionRequest): void {
  if (NEEDS_REASON.has(action) && reason.trim().length < SHORTEST_REASON) {
    throw new InputError(
      `reason: ${action} needs one of at least ${SHORTEST_REASON} characters; say why.`,
    );
  }
}
