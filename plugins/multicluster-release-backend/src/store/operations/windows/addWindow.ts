import type { WindowSpec } from 'backstage-plugin-multicluster-release-common';
import type { Knex } from 'knex';
import { sameJson, toJson } from '../../json';
import { plainText } from '../../plainText';
import { windowRecord } from '../../rows/windowRow';
import type { WindowRow } from '../../rows/windowRow';
import type { WindowRecord } from '../../types';

export interface WindowToAdd {
  id: string;
  spec: WindowSpec & { name: string };
  /** Sorted and without repetition; undefined: all services. */
  services?: string[];
  reason: string;
  /** The user's entity ref. */
  by: string;
  now: number;
}

/** `exists`: the same one stands already. `nameTaken`: another one of that name does. Neither writes. */
export interface AddWindowResult {
  result: 'added' | 'exists' | 'nameTaken';
  window: WindowRecord;
}

/** Adds a release window of the platform. Names are unique among those that stand. */
export async function addWindow(database: Knex, window: WindowToAdd): Promise<AddWindowResult> {
  const { id, spec, services, reason, by, now } = window;
  await database('windows')
    .insert({
      id,
      name: spec.name,
      cron: spec.cron,
      duration: spec.durationMilliseconds,
      time_zone: spec.timeZone,
      kind: spec.kind,
      services: services === undefined ? null : toJson(services),
      reason: plainText(reason),
      created_by: by,
      created_at: now,
    })
    .onConflict()
    .ignore();
  const row = await database<WindowRow>('windows')
    .where({ name: spec.name, removed_at: null })
    .orWhere('id', id)
    .first();
  if (!row) {
    // One of that name stood when this one was added, and was removed before it could be read.
    return addWindow(database, window);
  }
  const found = windowRecord(row);
  if (row.id === id) {
    return { result: 'added', window: found };
  }
  const same = sameJson([found.spec, found.services], [spec, services]);
  return { result: same ? 'exists' : 'nameTaken', window: found };
}
