import type { Knex } from 'knex';
import { chunkRows } from '../../dialect';

/** Notes that a release needs contents, so that they are kept as long as it is. */
export async function insertContentReferences(
  tx: Knex.Transaction,
  releaseId: string,
  digests: string[],
): Promise<void> {
  const rows = [...new Set(digests)].map(digest => ({
    release_id: releaseId,
    digest,
  }));
  for (const chunk of chunkRows(rows)) {
    await tx('content_references').insert(chunk).onConflict(['release_id', 'digest']).ignore();
  }
}
