import type { Knex } from 'knex';
import { holdRecord } from '../../rows/holdRow';
import type { HoldRow } from '../../rows/holdRow';
import type { HoldRecord } from '../../types';

/** A hold by its id, released or not. */
export async function findHold(database: Knex, id: string): Promise<HoldRecord | undefined> {
  const row = await database<HoldRow>('holds').where('id', id).first();
  return row && holdRecord(row);
}
