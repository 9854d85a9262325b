import type { EventView } from 'backstage-plugin-multicluster-release-common';
import type { Knex } from 'knex';
import { eventView } from '../../rows/eventRow';
import type { EventRow } from '../../rows/eventRow';

export interface EventsAfter {
  releaseId: string;
  /** Only events with a greater id; undefined: from the first. */
  after?: number;
  limit: number;
}

/** Events of one release in their order, to be followed by the greatest id seen. */
export async function listEvents(
  database: Knex,
  { releaseId, after = 0, limit }: EventsAfter,
): Promise<EventView[]> {
  const rows = await database<EventRow>('events')
    .where('release_id', releaseId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit);
  return rows.map(eventView);
}
