import type { Knex } from 'knex';
import { leaseEnd, leaseNow, lockFreeRows } from '../../dialect';
import type { Clock, Lease } from '../../types';

export interface ClaimOptions {
  /** Identifies this replica; new at each start. */
  holder: string;
  leaseMilliseconds: number;
  limit: number;
  /** Releases that this replica holds already. */
  exclude?: string[];
  clock: Clock;
}

/**
 * Claims releases that have work and that nobody holds, oldest first. Each claim
 * takes a new ticket, so whatever an earlier holder still tries is refused.
 */
export async function claimReleases(database: Knex, options: ClaimOptions): Promise<Lease[]> {
  const { holder, leaseMilliseconds, limit, exclude = [], clock } = options;
  const until = clock() + leaseMilliseconds;
  return database.transaction(async tx => {
    const free = tx('releases')
      .select<{ id: string; lease_ticket: number }[]>('id', 'lease_ticket')
      .where('needs_work', true)
      .whereNotIn('id', exclude)
      .where(lease =>
        lease.whereNull('lease_until').orWhere('lease_until', '<=', leaseNow(tx, clock)),
      )
      .orderBy(['created_at', 'id'])
      .limit(limit);
    const rows = await lockFreeRows(tx, free);
    if (rows.length === 0) {
      return [];
    }
    await tx('releases')
      .whereIn(
        'id',
        rows.map(row => row.id),
      )
      .update({
        lease_holder: holder,
        lease_ticket: tx.raw('lease_ticket + 1'),
        lease_until: leaseEnd(tx, clock, leaseMilliseconds),
      });
    return rows.map(row => ({
      releaseId: row.id,
      holder,
      ticket: row.lease_ticket + 1,
      until,
    }));
  });
}
