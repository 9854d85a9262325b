import { InputError } from '@backstage/errors';
import type { Knex } from 'knex';
import { toJson } from '../../json';
import type { ClusterListingRecord } from '../../types';

/**
 * Remembers a complete listing of clusters, to compare the next one with.
 * @throws InputError on an empty one: that is never good news (field case C07).
 */
export async function saveClusterListing(
  database: Knex,
  { source, clusters, listedAt }: ClusterListingRecord,
): Promise<void> {
  if (clusters.length === 0) {
    throw new InputError(
      `Cluster listing ${source} is empty; the last good one stays until one with clusters comes`,
    );
  }
  await database('cluster_listings')
    .insert({ source, clusters: toJson(clusters), listed_at: listedAt })
    .onConflict('source')
    .merge();
}
