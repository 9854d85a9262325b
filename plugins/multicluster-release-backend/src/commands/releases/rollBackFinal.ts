import { NotFoundError } from '@backstage/errors';
import type { RollbackTarget } from 'backstage-plugin-multicluster-release-common';
import type { ReleaseRun } from '../../decide/types';
import { createRelease, loadRuns, type ReleaseRecord } from '../../store';
import type { CommandContext } from '../CommandContext';
import type { ActRequest, ActResult } from '../actions/actOnRelease';
import { RecordMovedError } from '../errors';
import type { CurrentState } from '../planning/currentState';
import { readCurrent } from '../planning/readCurrent';
import { contentsOfVersion } from './contentsOfVersion';
import { refuseUnlessOffered, wayBackRelease, wayBackTargets } from './wayBack';

/**
 * A release that has ended is sent back by a new release, compiled from the
 * record and stored content alone (design.md 4.15). Clusters that a newer
 * release owns by now are left to it.
 *
 * @throws RefusedError `NothingToRollBack`; OnHoldError where the way back leads
 * to a version on hold and the request does not say `releaseHold`
 */
export async function rollBackFinal(context: CommandContext, act: ActRequest): Promise<ActResult> {
  const { record, run } = await loadBoth(context, act.releaseId);
  const { request } = act;
  refuseUnlessOffered(run, record.rolledBackBy);
  for (let attempt = 1; ; attempt += 1) {
    const current = await readCurrent(context.database, run.service);
    const versions =
      request.toVersion === undefined
        ? undefined
        : await contentsOfVersion(context, run.service, request.toVersion);
    const targets = wayBackTargets({ run, current, request, versions });
    try {
      return await create(context, act, { record, run, targets, current });
    } catch (error) {
      if (!(error instanceof RecordMovedError) || attempt === ATTEMPTS) {
        throw error;
      }
    }
  }
}

/** How often the way back is found anew because another release of the service moved meanwhile. */
const ATTEMPTS = 4;

async function loadBoth(
  { database }: CommandContext,
  id: string,
): Promise<{ record: ReleaseRecord; run: ReleaseRun }> {
  const loaded = (await loadRuns(database, [id])).get(id);
  if (!loaded) {
    throw new NotFoundError(
      `Release ${id} does not exist; it may have been removed with old records`,
    );
  }
  return loaded;
}

interface CreateInput {
  record: ReleaseRecord;
  run: ReleaseRun;
  targets: RollbackTarget[];
  current: CurrentState;
}

async function create(
  context: CommandContext,
  order: ActRequest,
  { record, run, targets, current }: CreateInput,
): Promise<ActResult> {
  const { actor, request, idempotency } = order;
  const id = context.newId();
  const now = context.now();
  const back = wayBackRelease({ run, current, request, order, targets, id, now });
  const made = await createRelease(context.database, {
    ...back,
    id,
    service: run.service,
    spec: { ...record.spec, targetVersion: back.plan.targetVersion },
    strategy: 'Rollback',
    startedBy: actor.ref,
    onBehalfOf: actor.onBehalfOf,
    reason: request.reason,
    idempotency,
    now,
  });
  context.onChange({ releaseId: made.id, service: run.service, revision: 1 });
  return { id: made.id, result: made.result };
}
