import { NotFoundError } from '@backstage/errors';
import type { Knex } from 'knex';
import { lockRows } from '../../dialect';
import { holdRecord } from '../../rows/holdRow';
import type { HoldRow } from '../../rows/holdRow';
import { appendEvents } from '../events/appendEvents';

export interface HoldRelease {
  id: string;
  /** The user's entity ref. */
  by: string;
  reason?: string;
  now: number;
}

/**
 * Lets a version be released again, and says so in the service's events. Once
 * released, a second call changes nothing.
 * @throws NotFoundError when there is no such hold.
 */
export async function releaseHold(
  database: Knex,
  { id, by, reason, now }: HoldRelease,
): Promise<'released' | 'unchanged'> {
  return database.transaction(async tx => {
    const row = await tx<HoldRow>('holds').where('id', id).first();
    if (!row) {
      throw new NotFoundError(`Hold ${id} does not exist; list the holds of the service again`);
    }
    const hold = holdRecord(row);
    // Its events must become visible in the order of their ids.
    await lockRows(tx, tx('releases').select('id').where('id', hold.releaseId));
    const changed = await tx('holds')
      .where({ id, released_at: null })
      .update({ released_by: by, released_at: now });
    if (changed === 0) {
      return 'unchanged';
    }
    await appendEvents(tx, [
      {
        kind: 'release',
        code: 'holdReleased',
        params: { version: hold.version },
        message: `The hold on ${hold.version} was released`,
        actor: by,
        reason,
        releaseId: hold.releaseId,
        service: hold.service,
        at: now,
      },
    ]);
    return 'released';
  });
}
