import type { Knex } from 'knex';
import { pageLimit, pageOf, readCursor } from '../../cursor';
import { runningRecord } from '../../rows/runningRow';
import type { RunningRow } from '../../rows/runningRow';
import type { Page, PageRequest, RunningRecord } from '../../types';

export interface RunningQuery extends PageRequest {
  services?: string[];
  clusters?: string[];
}

/** What our record says runs, by service, cluster and namespace, page by page. */
export async function listRunning(
  database: Knex,
  query: RunningQuery,
): Promise<Page<RunningRecord>> {
  const limit = pageLimit(query);
  const cursor = readCursor(query.cursor, ['string', 'string', 'string']);
  const select = database<RunningRow>('running')
    .orderBy(['service', 'cluster', 'namespace'])
    .limit(limit + 1);
  if (query.services) {
    select.whereIn('service', query.services);
  }
  if (query.clusters) {
    select.whereIn('cluster', query.clusters);
  }
  if (cursor) {
    select.whereRaw('(service, cluster, namespace) > (?, ?, ?)', cursor);
  }
  const rows = await select;
  return pageOf(rows.map(runningRecord), limit, row => [row.service, row.cluster, row.namespace]);
}
