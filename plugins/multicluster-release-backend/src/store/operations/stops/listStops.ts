import type { Knex } from 'knex';
import { pageLimit, pageOf, readCursor } from '../../cursor';
import { stopRecord } from '../../rows/stopRow';
import type { StopRow } from '../../rows/stopRow';
import type { Page, PageRequest, StopRecord } from '../../types';

export interface StopsQuery extends PageRequest {
  /** Those that were lifted, too. */
  ended?: boolean;
}

/** Emergency stops, newest first, page by page. @throws InputError on a bad limit or cursor. */
export async function listStops(database: Knex, query: StopsQuery): Promise<Page<StopRecord>> {
  const limit = pageLimit(query);
  const cursor = readCursor(query.cursor, ['number', 'string']);
  const select = database<StopRow>('stops')
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(limit + 1);
  if (!query.ended) {
    select.whereNull('lifted_at');
  }
  if (cursor) {
    select.whereRaw('(created_at, id) < (?, ?)', cursor);
  }
  const rows = await select;
  return pageOf(rows.map(stopRecord), limit, stop => [stop.since, stop.id]);
}
