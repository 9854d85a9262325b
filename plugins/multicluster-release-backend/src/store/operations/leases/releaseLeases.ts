import type { Knex } from 'knex';
import type { Lease } from '../../types';

/** Gives leases back, so that another replica need not wait for their end. Lost ones are left alone. */
export async function releaseLeases(database: Knex, leases: Lease[]): Promise<void> {
  for (const lease of leases) {
    await database('releases')
      .where({
        id: lease.releaseId,
        lease_holder: lease.holder,
        lease_ticket: lease.ticket,
      })
      .update({ lease_holder: null, lease_until: null });
  }
}
