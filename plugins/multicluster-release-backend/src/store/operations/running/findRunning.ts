import type { Knex } from 'knex';
import { runningRecord } from '../../rows/runningRow';
import type { RunningRow } from '../../rows/runningRow';
import type { RunningRecord } from '../../types';

/** All that our record says runs of one service: what a plan is compiled against. */
export async function findRunning(database: Knex, service: string): Promise<RunningRecord[]> {
  const rows = await database<RunningRow>('running')
    .where('service', service)
    .orderBy(['cluster', 'namespace']);
  return rows.map(runningRecord);
}
