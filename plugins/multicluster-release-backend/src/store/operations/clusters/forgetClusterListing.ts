import type { Knex } from 'knex';

/** A person has confirmed that the source lists no cluster any more. */
export async function forgetClusterListing(database: Knex, source: string): Promise<void> {
  await database('cluster_listings').where({ source }).delete();
}
