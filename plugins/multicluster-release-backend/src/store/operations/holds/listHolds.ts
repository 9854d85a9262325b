import type { Knex } from 'knex';
import { pageLimit, pageOf, readCursor } from '../../cursor';
import { holdRecord } from '../../rows/holdRow';
import type { HoldRow } from '../../rows/holdRow';
import type { HoldRecord, Page, PageRequest } from '../../types';

export interface HoldsQuery extends PageRequest {
  services?: string[];
  version?: string;
}

/** Versions that are on hold now, newest first, page by page. */
export async function listHolds(database: Knex, query: HoldsQuery): Promise<Page<HoldRecord>> {
  const limit = pageLimit(query);
  const cursor = readCursor(query.cursor, ['number', 'string']);
  const select = database<HoldRow>('holds')
    .whereNull('released_at')
    .orderBy([
      { column: 'since', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(limit + 1);
  if (query.services) {
    select.whereIn('service', query.services);
  }
  if (query.version !== undefined) {
    select.where('version', query.version);
  }
  if (cursor) {
    select.whereRaw('(since, id) < (?, ?)', cursor);
  }
  const rows = await select;
  return pageOf(rows.map(holdRecord), limit, hold => [hold.since, hold.id]);
}
