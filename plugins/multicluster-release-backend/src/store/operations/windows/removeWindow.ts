import { NotFoundError } from '@backstage/errors';
import type { Knex } from 'knex';
import { plainText } from '../../plainText';

export interface WindowRemoval {
  id: string;
  /** The user's entity ref. */
  by: string;
  reason: string;
  now: number;
}

/**
 * Ends a release window; its row stays. Once removed, a second call changes nothing.
 * @throws NotFoundError when there is no such window.
 */
export async function removeWindow(
  database: Knex,
  { id, by, reason, now }: WindowRemoval,
): Promise<'removed' | 'unchanged'> {
  const changed = await database('windows')
    .where({ id, removed_at: null })
    .update({ removed_by: by, removed_at: now, remove_reason: plainText(reason) });
  if (changed === 1) {
    return 'removed';
  }
  const row = await database('windows').where('id', id).first('id');
  if (!row) {
    throw new NotFoundError(`Release window ${id} does not exist; list the windows again`);
  }
  return 'unchanged';
}
