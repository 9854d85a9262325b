import type { EventView } from 'backstage-plugin-multicluster-release-common';
import type { Knex } from 'knex';
import { pageLimit, pageOf, readCursor } from '../../cursor';
import { eventView } from '../../rows/eventRow';
import type { EventRow } from '../../rows/eventRow';
import type { Page, PageRequest } from '../../types';

export interface LatestEventsQuery extends PageRequest {
  /** Undefined: of all services. */
  services?: string[];
  releaseId?: string;
}

/** Events, newest first, page by page. @throws InputError on a bad limit or cursor. */
export async function listLatestEvents(
  database: Knex,
  query: LatestEventsQuery,
): Promise<Page<EventView>> {
  const limit = pageLimit(query);
  const cursor = readCursor(query.cursor, ['number']);
  const select = database<EventRow>('events')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (query.services) {
    select.whereIn('service', query.services);
  }
  if (query.releaseId !== undefined) {
    select.where('release_id', query.releaseId);
  }
  if (cursor) {
    select.where('id', '<', cursor[0]);
  }
  const rows = await select;
  return pageOf(rows.map(eventView), limit, event => [event.id]);
}
