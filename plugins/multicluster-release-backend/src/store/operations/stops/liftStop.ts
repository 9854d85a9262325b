import { NotFoundError } from '@backstage/errors';
import type { Knex } from 'knex';
import { plainText } from '../../plainText';

export interface StopLift {
  id: string;
  /** The user's entity ref. */
  by: string;
  reason: string;
  now: number;
}

/**
 * Ends an emergency stop. Once lifted, a second call changes nothing.
 * @throws NotFoundError when there is no such stop.
 */
export async function liftStop(
  database: Knex,
  { id, by, reason, now }: StopLift,
): Promise<'lifted' | 'unchanged'> {
  const changed = await database('stops')
    .where({ id, lifted_at: null })
    .update({ lifted_by: by, lifted_at: now, lift_reason: plainText(reason) });
  if (changed === 1) {
    return 'lifted';
  }
  const row = await database('stops').where('id', id).first('id');
  if (!row) {
    throw new NotFoundError(`Emergency stop ${id} does not exist; list the stops again`);
  }
  return 'unchanged';
}
