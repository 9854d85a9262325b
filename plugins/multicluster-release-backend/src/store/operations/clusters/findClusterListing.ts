import type { Knex } from 'knex';
import { fromJson } from '../../json';
import type { ClusterListingRecord } from '../../types';

interface ClusterListingRow {
  source: string;
  clusters: string;
  listed_at: string | number;
}

/** The last good listing, or undefined where there never was one. */
export async function findClusterListing(
  database: Knex,
  source: string,
): Promise<ClusterListingRecord | undefined> {
  const row = await database<ClusterListingRow>('cluster_listings').where({ source }).first();
  return (
    row && {
      source,
      clusters: fromJson<string[]>(row.clusters),
      listedAt: Number(row.listed_at),
    }
  );
}
