import { createHash } from 'node:crypto';
import type { StopScope } from 'backstage-plugin-multicluster-release-common';
import type { Knex } from 'knex';
import { toJson } from '../../json';
import { plainText } from '../../plainText';
import { stopRecord } from '../../rows/stopRow';
import type { StopRow } from '../../rows/stopRow';
import type { StopRecord } from '../../types';

export interface StopToPlace {
  id: string;
  /** Lists sorted and without repetition, so that equal orders are equal. */
  scope: StopScope;
  reason: string;
  allowRollback: boolean;
  /** The user's entity ref. */
  by: string;
  now: number;
}

/**
 * Places an emergency stop. Where the same one is in force already, nothing is
 * written and that one is answered: a second press must not need a second lift.
 */
export async function placeStop(
  database: Knex,
  { id, scope, reason, allowRollback, by, now }: StopToPlace,
): Promise<{ result: 'placed' | 'exists'; stop: StopRecord }> {
  const orderKey = createHash('sha256')
    .update(toJson([scope, allowRollback]))
    .digest('hex');
  await database('stops')
    .insert({
      id,
      scope: toJson(scope),
      order_key: orderKey,
      reason: plainText(reason),
      allow_rollback: allowRollback,
      created_by: by,
      created_at: now,
    })
    .onConflict()
    .ignore();
  const row = await database<StopRow & { order_key: string }>('stops')
    .where({ order_key: orderKey, lifted_at: null })
    .orWhere('id', id)
    .first();
  if (!row) {
    // The same stop stood when this one was placed, and was lifted before it could be read.
    return placeStop(database, { id, scope, reason, allowRollback, by, now });
  }
  return { result: row.id === id ? 'placed' : 'exists', stop: stopRecord(row) };
}
