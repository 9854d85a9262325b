import type { Knex } from 'knex';
import type { HoldsToLift } from '../../types';
import { activeHolds } from './activeHolds';
import { releaseHold } from './releaseHold';

/** Releases the holds on some versions of a service, within a transaction that has it locked. */
export async function liftHolds(
  tx: Knex.Transaction,
  service: string,
  wanted: HoldsToLift | undefined,
  now: number,
): Promise<void> {
  if (!wanted) {
    return;
  }
  const { versions, by, reason } = wanted;
  for (const hold of await activeHolds(tx, service)) {
    if (versions.includes(hold.version)) {
      await releaseHold(tx, { id: hold.id, by, reason, now });
    }
  }
}
