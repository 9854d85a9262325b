import type { Knex } from 'knex';
import { chunkRows } from '../../dialect';
import { toJson } from '../../json';
import { plainText } from '../../plainText';
import type { ClusterStatusRecord } from '../../types';

/**
 * Keeps what was last seen of clusters. A bad answer says nothing of what runs
 * there: where `reportedAt` or `detail` is missing, the last good ones stay.
 */
export async function saveClusterStatus(
  database: Knex,
  statuses: ClusterStatusRecord[],
): Promise<void> {
  const rows = statuses.map(status => ({
    cluster: status.cluster,
    state: status.state,
    message: status.message === undefined ? null : plainText(status.message),
    since: status.since,
    reported_at: status.reportedAt ?? null,
    detail: status.detail === undefined ? null : toJson(status.detail),
  }));
  for (const chunk of chunkRows(rows)) {
    await database('cluster_status')
      .insert(chunk)
      .onConflict('cluster')
      .merge({
        state: database.raw('excluded.state'),
        message: database.raw('excluded.message'),
        since: database.raw('excluded.since'),
        reported_at: database.raw('coalesce(excluded.reported_at, cluster_status.reported_at)'),
        detail: database.raw('coalesce(excluded.detail, cluster_status.detail)'),
      });
  }
}
