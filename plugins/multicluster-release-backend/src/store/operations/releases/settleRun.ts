import type { Knex } from 'knex';
import type { SettleResult, Settlement } from '../../types';
import { writeRun } from './writeRun';

/**
 * Writes what a turn made of the run that `loadRun` gave in this transaction.
 * `settled` raises the revision by one; `unchanged` writes nothing; `claimLost`
 * writes nothing because the lease ended or somebody else holds it now.
 */
export async function settleRun(
  tx: Knex.Transaction,
  settlement: Settlement,
): Promise<SettleResult> {
  const result = await writeRun(tx, settlement);
  return result === 'written' ? 'settled' : result;
}
