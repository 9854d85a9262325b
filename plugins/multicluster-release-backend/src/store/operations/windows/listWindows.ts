import type { Knex } from 'knex';
import { pageLimit, pageOf, readCursor } from '../../cursor';
import { windowRecord } from '../../rows/windowRow';
import type { WindowRow } from '../../rows/windowRow';
import type { Page, PageRequest, WindowRecord } from '../../types';

export interface WindowsQuery extends PageRequest {
  /** Those that were removed, too. */
  ended?: boolean;
}

/** Release windows of the platform, newest first, page by page. @throws InputError on a bad limit or cursor. */
export async function listWindows(
  database: Knex,
  query: WindowsQuery,
): Promise<Page<WindowRecord>> {
  const limit = pageLimit(query);
  const cursor = readCursor(query.cursor, ['number', 'string']);
  const select = database<WindowRow>('windows')
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(limit + 1);
  if (!query.ended) {
    select.whereNull('removed_at');
  }
  if (cursor) {
    select.whereRaw('(created_at, id) < (?, ?)', cursor);
  }
  const rows = await select;
  return pageOf(rows.map(windowRecord), limit, window => [window.since, window.id]);
}
