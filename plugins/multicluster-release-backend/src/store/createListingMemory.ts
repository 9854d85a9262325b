import type { ListingMemory } from 'backstage-plugin-multicluster-release-node';
import type { Knex } from 'knex';
import { findClusterListing } from './operations/clusters/findClusterListing';
import { forgetClusterListing } from './operations/clusters/forgetClusterListing';
import { saveClusterListing } from './operations/clusters/saveClusterListing';
import type { Clock } from './types';

/** Keeps what sources of clusters listed, so that trust in them outlives a restart (C07). */
export function createListingMemory(database: Knex, clock: Clock): ListingMemory {
  return {
    recall: async source => (await findClusterListing(database, source))?.clusters,
    remember: (source, clusters) =>
      clusters.length > 0
        ? saveClusterListing(database, { source, clusters, listedAt: clock() })
        : forgetClusterListing(database, source),
  };
}
