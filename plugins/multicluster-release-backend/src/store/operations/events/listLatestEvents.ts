import type { AuditEntry } from 'backstage-plugin-multicluster-release-common';
import type { Knex } from 'knex';
import { pageLimit, pageOf, readCursor } from '../../cursor';
import { auditEntry } from '../../rows/eventRow';
import type { EventRow } from '../../rows/eventRow';
import type { Page, PageRequest } from '../../types';

export interface LatestEventsQuery extends PageRequest {
  /** Undefined: of all services and of the fleet, which FLEET stands for. */
  services?: string[];
  releaseId?: string;
  cluster?: string;
  /** Who: a user's entity ref, or `system`. */
  actor?: string;
  /** What: the event's code. */
  code?: string;
  /** Not before. */
  from?: number;
  /** Before. */
  to?: number;
}

/** Events, newest first, page by page. @throws InputError on a bad limit or cursor. */
export async function listLatestEvents(
  database: Knex,
  query: LatestEventsQuery,
): Promise<Page<AuditEntry>> {
  const limit = pageLimit(query);
  const cursor = readCursor(query.cursor, ['number']);
  const select = database<EventRow>('events')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (query.services) {
    select.whereIn('service', query.services);
  }
  if (query.from !== undefined) {
    select.where('at', '>=', query.from);
  }
  if (query.to !== undefined) {
    select.where('at', '<', query.to);
  }
  if (cursor) {
    select.where('id', '<', cursor[0]);
  }
  for (const [column, value] of equalities(query)) {
    select.where(column, value);
  }
  const rows = await select;
  return pageOf(rows.map(auditEntry), limit, event => [event.id]);
}

function equalities({ releaseId, cluster, actor, code }: LatestEventsQuery): [string, string][] {
  const wanted = { release_id: releaseId, cluster, actor, code };
  return Object.entries(wanted).flatMap(([column, value]): [string, string][] =>
    value === undefined ? [] : [[column, value]],
  );
}
