import { NotFoundError } from '@backstage/errors';
import type { Knex } from 'knex';
import type { ChangeResult, HoldRecord, IdempotencyKey, LoadedRun, RunChange } from '../../types';
import { activeHolds } from '../holds/activeHolds';
import { liftHolds } from '../holds/liftHolds';
import { findUsedKey, takeKey } from '../idempotency/idempotencyKeys';
import { loadRun } from './loadRun';
import { writeRun } from './writeRun';

export interface ChangeOptions {
  now: number;
  /** A repeated request changes nothing and is answered `repeated`. A refused one does not use up the key. */
  idempotency?: IdempotencyKey;
}

/**
 * A person's command: loads the run with its rows locked, lets `change` decide,
 * and writes what differs. It is told which versions of the service are on hold. Needs no lease; who holds one sees the new revision
 * in its next turn. `change` must be quick and pure.
 * @throws NotFoundError when there is no such release.
 * @throws ConflictError when the idempotency key was used for another body.
 */
export async function changeRun<R>(
  database: Knex,
  releaseId: string,
  change: (loaded: LoadedRun, holds: HoldRecord[]) => RunChange<R>,
  { now, idempotency }: ChangeOptions,
): Promise<ChangeResult<R>> {
  return database.transaction(async tx => {
    const before = await loadRun(tx, releaseId);
    if (!before) {
      throw new NotFoundError(
        `Release ${releaseId} does not exist; it may have been removed with old records`,
      );
    }
    const { revision } = before;
    const usedFor = idempotency && (await findUsedKey(tx, idempotency, now));
    if (usedFor !== undefined) {
      return { result: 'repeated', revision, releaseId: usedFor };
    }
    const changed = change(before, await activeHolds(tx, before.run.service));
    if ('refusal' in changed) {
      return { result: 'refused', refusal: changed.refusal };
    }
    const takenFor = idempotency && (await takeKey(tx, idempotency, releaseId, now));
    if (takenFor !== undefined) {
      return { result: 'repeated', revision, releaseId: takenFor };
    }
    const { run, events } = changed;
    const written = await writeRun(tx, { before, run, events, now });
    await liftHolds(tx, run.service, changed.liftHolds, now);
    return written === 'written'
      ? { result: 'changed', revision: revision + 1 }
      : { result: 'unchanged', revision };
  });
}
