import type { ClusterState } from 'backstage-plugin-multicluster-release-common';
import type { Knex } from 'knex';
import { fromJson } from '../../json';
import { optionalNumber } from '../../rows/releaseRow';
import type { ClusterStatusRecord } from '../../types';

interface ClusterStatusRow {
  cluster: string;
  state: string;
  message: string | null;
  since: string | number;
  reported_at: string | number | null;
  detail: string | null;
}

/** What was last seen of each cluster, by name. Never read it as current: `reportedAt` says how old it is. */
export async function listClusterStatus<D = unknown>(
  database: Knex,
): Promise<ClusterStatusRecord<D>[]> {
  const rows = await database<ClusterStatusRow>('cluster_status').orderBy('cluster');
  return rows.map(row => ({
    cluster: row.cluster,
    state: row.state as ClusterState,
    message: row.message ?? undefined,
    since: Number(row.since),
    reportedAt: optionalNumber(row.reported_at),
    detail: row.detail === null ? undefined : fromJson<D>(row.detail),
  }));
}
