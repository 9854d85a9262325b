import type { Knex } from 'knex';
import { cordonRecord } from '../../rows/cordonRow';
import type { CordonRow } from '../../rows/cordonRow';
import type { CordonRecord } from '../../types';

/** Clusters that are taken out now, by name. */
export async function listCordons(database: Knex): Promise<CordonRecord[]> {
  const rows = await database<CordonRow>('cordons').whereNull('lifted_at').orderBy('cluster');
  return rows.map(cordonRecord);
}
