import type { Knex } from 'knex';
import { windowRecord } from '../../rows/windowRow';
import type { WindowRow } from '../../rows/windowRow';
import type { WindowRecord } from '../../types';

/** A release window by its id, removed or not. */
export async function findWindow(database: Knex, id: string): Promise<WindowRecord | undefined> {
  const row = await database<WindowRow>('windows').where('id', id).first();
  return row && windowRecord(row);
}
