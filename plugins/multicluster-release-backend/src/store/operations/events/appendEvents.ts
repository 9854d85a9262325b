import type { Knex } from 'knex';
import { chunkRows } from '../../dialect';
import { eventRow } from '../../rows/eventRow';
import type { EventToWrite } from '../../types';

/**
 * Writes events, in order. Those of a release are written while its row is
 * locked, so that their ids grow in the order in which they become visible and a
 * reader that goes on after the last id misses none.
 */
export async function appendEvents(database: Knex, events: EventToWrite[]): Promise<void> {
  for (const rows of chunkRows(events.map(eventRow))) {
    await database('events').insert(rows);
  }
}
