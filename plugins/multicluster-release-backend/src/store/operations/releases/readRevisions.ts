import type { Knex } from 'knex';
import { chunkKeys } from '../../dialect';

/** The current revision of each release: how a holder sees cheaply that a command changed one. */
export async function readRevisions(
  database: Knex,
  releaseIds: string[],
): Promise<Map<string, number>> {
  const revisions = new Map<string, number>();
  for (const ids of chunkKeys(releaseIds)) {
    const rows = await database('releases')
      .select<{ id: string; revision: number }[]>('id', 'revision')
      .whereIn('id', ids);
    rows.forEach(row => revisions.set(row.id, row.revision));
  }
  return revisions;
}
