import type { ReleaseState } from 'backstage-plugin-multicluster-release-common';
import type { Knex } from 'knex';
import { pageLimit, pageOf, readCursor } from '../../cursor';
import { releaseRecord } from '../../rows/releaseRow';
import type { ReleaseRow } from '../../rows/releaseRow';
import type { Page, PageRequest, ReleaseRecord } from '../../types';

export interface ReleasesQuery extends PageRequest {
  services?: string[];
  states?: ReleaseState[];
  /** Releases that have a target on this cluster. */
  cluster?: string;
}

/** Releases, newest first, page by page. @throws InputError on a bad limit or cursor. */
export async function listReleases(
  database: Knex,
  query: ReleasesQuery,
): Promise<Page<ReleaseRecord>> {
  const limit = pageLimit(query);
  const cursor = readCursor(query.cursor, ['number', 'string']);
  const select = database<ReleaseRow>('releases')
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(limit + 1);
  if (query.services) {
    select.whereIn('service', query.services);
  }
  if (query.states) {
    select.whereIn('state', query.states);
  }
  if (query.cluster !== undefined) {
    select.whereIn(
      'id',
      database('release_targets').select('release_id').where('cluster', query.cluster),
    );
  }
  if (cursor) {
    select.whereRaw('(created_at, id) < (?, ?)', cursor);
  }
  const rows = await select;
  return pageOf(rows.map(releaseRecord), limit, release => [release.createdAt, release.id]);
}
