import type { Knex } from 'knex';
import { holdRecord, type HoldRow } from '../../rows/holdRow';
import type { HoldRecord } from '../../types';

/** Every version of a service that is on hold now. */
export async function activeHolds(tx: Knex.Transaction, service: string): Promise<HoldRecord[]> {
  const rows = await tx<HoldRow>('holds').where({ service, released_at: null });
  return rows.map(holdRecord);
}
