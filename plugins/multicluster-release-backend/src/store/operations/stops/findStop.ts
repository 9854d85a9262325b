import type { Knex } from 'knex';
import { stopRecord } from '../../rows/stopRow';
import type { StopRow } from '../../rows/stopRow';
import type { StopRecord } from '../../types';

/** An emergency stop by its id, lifted or not. */
export async function findStop(database: Knex, id: string): Promise<StopRecord | undefined> {
  const row = await database<StopRow>('stops').where('id', id).first();
  return row && stopRecord(row);
}
