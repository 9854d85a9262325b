import type { Plan } from 'backstage-plugin-multicluster-release-common';
import type { Knex } from 'knex';
import { leaseNow, lockRows } from '../../dialect';
import { fromJson } from '../../json';
import { assembleRun } from '../../rows/assembleRun';
import type { ReleaseRow } from '../../rows/releaseRow';
import type { TargetRow } from '../../rows/targetRow';
import type { Clock, Lease, LoadedRun } from '../../types';

export interface LoadRunOptions {
  /** Load only where this lease still holds. */
  lease: Lease;
  /** Compared with the lease's end on SQLite only. */
  clock: Clock;
}

type LockedRelease = ReleaseRow & { lease_now: string | number };

/**
 * Loads a run to be changed in the same transaction: locks the service's row and
 * the release's row (in this order) until the transaction ends. Undefined when
 * there is no such release; `claimLost` when the lease ended or was taken over.
 */
export async function loadRun(
  tx: Knex.Transaction,
  releaseId: string,
): Promise<LoadedRun | undefined>;
export async function loadRun(
  tx: Knex.Transaction,
  releaseId: string,
  options: LoadRunOptions,
): Promise<LoadedRun | 'claimLost' | undefined>;
export async function loadRun(
  tx: Knex.Transaction,
  releaseId: string,
  options?: LoadRunOptions,
): Promise<LoadedRun | 'claimLost' | undefined> {
  const service = await lockService(tx, releaseId);
  const release = await lockRelease(tx, releaseId, options?.clock ?? (() => 0));
  if (!service || !release) {
    return undefined;
  }
  if (options && !holds(options.lease, release)) {
    return 'claimLost';
  }
  const plans = await tx('plans')
    .select<{ number: number; sequence: number; plan: string }[]>('number', 'sequence', 'plan')
    .where('release_id', releaseId)
    .orderBy('number');
  const targets = await tx<TargetRow>('release_targets')
    .select('inventory', 'detail')
    .where('release_id', releaseId)
    .orderBy('ordinal');
  return assembleRun({
    release,
    plans: plans.map(row => ({ ...row, plan: fromJson<Plan>(row.plan) })),
    targets,
    lastSequence: service.last_sequence,
  });
}

async function lockService(
  tx: Knex.Transaction,
  releaseId: string,
): Promise<{ last_sequence: number } | undefined> {
  const query = tx('services')
    .select<{ last_sequence: number }[]>('last_sequence')
    .where('service', tx('releases').select('service').where('id', releaseId));
  const rows = await lockRows(tx, query);
  return rows[0];
}

async function lockRelease(
  tx: Knex.Transaction,
  releaseId: string,
  clock: Clock,
): Promise<LockedRelease | undefined> {
  const query = tx('releases')
    .select<LockedRelease[]>('*')
    .select({ lease_now: leaseNow(tx, clock) })
    .where('id', releaseId);
  const rows = await lockRows(tx, query);
  return rows[0];
}

function holds(lease: Lease, row: LockedRelease): boolean {
  return (
    row.lease_holder === lease.holder &&
    row.lease_ticket === lease.ticket &&
    Number(row.lease_until) > Number(row.lease_now)
  );
}
