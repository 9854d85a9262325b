import { ACTIVE_STATES } from 'backstage-plugin-multicluster-release-common';
import type { Knex } from 'knex';
import type { ReleaseRun, RunEvent } from '../../../decide/types';
import { loadRun } from './loadRun';
import { writeRun } from './writeRun';

export interface SupersedeOrder {
  service: string;
  /** Who asked for the newer release. */
  by: string;
  /** Its id. */
  newer: string;
  now: number;
}

/**
 * Lets releases of the service that are under way make room for a newer one.
 * What goes back, or leads back, is left to its end. The service is locked by
 * the caller.
 */
export async function supersedeActive(
  tx: Knex.Transaction,
  { service, by, newer, now }: SupersedeOrder,
): Promise<void> {
  const rows = await tx('releases')
    .select<{ id: string }[]>('id')
    .where({ service })
    .whereIn('state', ACTIVE_STATES)
    .whereNot('id', newer)
    .orderBy(['created_at', 'id']);
  for (const { id } of rows) {
    const before = await loadRun(tx, id);
    if (before && makesRoom(before.run)) {
      const run: ReleaseRun = {
        ...before.run,
        superseded: { by, since: now },
        needsWork: true,
      };
      await writeRun(tx, { before, run, events: [event(by, newer)], now });
    }
  }
}

function makesRoom({ plans, rollback, aborted, superseded }: ReleaseRun): boolean {
  const stops = [rollback, aborted, superseded].some(order => order !== undefined);
  return plans[0].kind === 'forward' && !stops;
}

function event(by: string, newer: string): RunEvent {
  return {
    kind: 'release',
    code: 'SupersedeRequested',
    params: { by, id: newer },
    message: `${by} asked for a newer release, which takes the place of this one`,
    actor: by,
  };
}
