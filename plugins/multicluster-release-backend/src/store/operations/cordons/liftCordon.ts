import type { Knex } from 'knex';
import { plainText } from '../../plainText';

export interface CordonLift {
  cluster: string;
  /** The user's entity ref. */
  by: string;
  reason: string;
  now: number;
}

/** Lets a cluster take releases again. One that does already stays as it is. */
export async function liftCordon(
  database: Knex,
  { cluster, by, reason, now }: CordonLift,
): Promise<'lifted' | 'unchanged'> {
  const changed = await database('cordons')
    .where({ cluster, lifted_at: null })
    .update({ lifted_by: by, lifted_at: now, lift_reason: plainText(reason) });
  return changed === 1 ? 'lifted' : 'unchanged';
}
