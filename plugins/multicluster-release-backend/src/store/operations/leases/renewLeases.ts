import type { Knex } from 'knex';
import { leaseEnd } from '../../dialect';
import type { Clock, Lease } from '../../types';

export interface RenewOptions {
  leaseMilliseconds: number;
  clock: Clock;
}

/**
 * Moves the end of leases and answers those that are still ours, with their old
 * ticket; what is missing is lost. A lease that ran out is renewed as long as
 * nobody else has claimed the release since: the ticket proves that.
 *
 * One statement for each lease, because one that waits for several rows could
 * meet a settlement that frees the next release in the queue, and deadlock.
 */
export async function renewLeases(
  database: Knex,
  leases: Lease[],
  { leaseMilliseconds, clock }: RenewOptions,
): Promise<Lease[]> {
  const renewed: Lease[] = [];
  for (const lease of leases) {
    const until = clock() + leaseMilliseconds;
    const rows = await database('releases')
      .where({
        id: lease.releaseId,
        lease_holder: lease.holder,
        lease_ticket: lease.ticket,
      })
      .update({ lease_until: leaseEnd(database, clock, leaseMilliseconds) });
    if (rows === 1) {
      renewed.push({ ...lease, until });
    }
  }
  return renewed;
}
