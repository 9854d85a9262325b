import type { Knex } from 'knex';
import { planRecord } from '../../rows/planRow';
import type { PlanRow } from '../../rows/planRow';
import type { PlanRecord } from '../../types';

/** All plans of a release, oldest first: the one that was started, then rollbacks and recompilations. */
export async function listPlans(database: Knex, releaseId: string): Promise<PlanRecord[]> {
  const rows = await database<PlanRow>('plans').where('release_id', releaseId).orderBy('number');
  return rows.map(planRecord);
}
