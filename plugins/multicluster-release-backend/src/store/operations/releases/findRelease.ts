import type { Knex } from 'knex';
import { releaseRecord } from '../../rows/releaseRow';
import type { ReleaseRow } from '../../rows/releaseRow';
import type { ReleaseRecord } from '../../types';

/** A release as lists show it; `loadRuns` gives the run. */
export async function findRelease(database: Knex, id: string): Promise<ReleaseRecord | undefined> {
  const row = await database<ReleaseRow>('releases').where('id', id).first();
  return row && releaseRecord(row);
}
