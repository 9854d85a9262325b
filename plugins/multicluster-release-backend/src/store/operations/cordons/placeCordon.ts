import type { Knex } from 'knex';
import { plainText } from '../../plainText';

export interface CordonToPlace {
  id: string;
  cluster: string;
  reason: string;
  /** The user's entity ref. */
  by: string;
  now: number;
}

/** Takes a cluster out. One that is out already keeps who took it out first, and why. */
export async function placeCordon(
  database: Knex,
  { id, cluster, reason, by, now }: CordonToPlace,
): Promise<'placed' | 'unchanged'> {
  await database('cordons')
    .insert({ id, cluster, reason: plainText(reason), created_by: by, created_at: now })
    .onConflict()
    .ignore();
  const row = await database('cordons').where('id', id).first('id');
  return row ? 'placed' : 'unchanged';
}
