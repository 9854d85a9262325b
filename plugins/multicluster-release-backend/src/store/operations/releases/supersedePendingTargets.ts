import type { Knex } from 'knex';
import {
  FINAL_STATES,
  type TargetKey,
  type TargetState,
} from 'backstage-plugin-multicluster-release-common';
import { chunkRows } from '../../dialect';
import { toJson } from '../../json';
import { targetRun } from '../../rows/targetRow';
import type { TargetRow } from '../../rows/targetRow';
import { appendEvents } from '../events/appendEvents';

export interface SupersedeRequest {
  service: string;
  /** The release that owns the targets from now on. */
  releaseId: string;
  keys: TargetKey[];
  now: number;
}

/** Follow-up work of a final release; everything else is behind it or for nobody to do. */
const PENDING: TargetState[] = [
  'Pending',
  'Blocked',
  'Offline',
  'Applying',
  'Verifying',
  'Soaking',
  'RollingBack',
  'RollbackPending',
];

/**
 * Drops what final releases of the service had still to do on targets that a
 * newer release begins to write to (design.md 4.15). The service is locked by
 * the caller. Whether those releases have work left at all is seen in their own
 * next turn.
 */
export async function supersedePendingTargets(
  tx: Knex.Transaction,
  { service, releaseId, keys, now }: SupersedeRequest,
): Promise<void> {
  if (keys.length === 0) {
    return;
  }
  const wanted = new Set(keys);
  const rows = await tx('release_targets')
    .join('releases', 'releases.id', 'release_targets.release_id')
    .select<TargetRow[]>('release_targets.*')
    .where('releases.service', service)
    .where('releases.needs_work', true)
    .whereIn('releases.state', FINAL_STATES)
    .whereNot('releases.id', releaseId)
    .whereIn('release_targets.state', PENDING);
  const dropped = rows.filter(row => wanted.has(`${row.cluster}/${row.namespace}`));
  if (dropped.length === 0) {
    return;
  }
  await skip(tx, dropped, releaseId);
  await tx('releases')
    .whereIn('id', [...new Set(dropped.map(row => row.release_id))])
    .update({ revision: tx.raw('revision + 1') });
  await tell(tx, { dropped, service, releaseId, now });
}

async function skip(tx: Knex.Transaction, dropped: TargetRow[], releaseId: string): Promise<void> {
  const skipped = dropped.map(row => {
    const { inventory, ...detail } = targetRun(row);
    return {
      ...row,
      state: 'Skipped',
      detail: toJson({
        ...detail,
        state: 'Skipped',
        message: supersededBy(releaseId),
      }),
    };
  });
  for (const chunk of chunkRows(skipped)) {
    await tx('release_targets')
      .insert(chunk)
      .onConflict(['release_id', 'cluster', 'namespace'])
      .merge(['state', 'detail']);
  }
}

function supersededBy(releaseId: string): string {
  return `superseded by release ${releaseId}`;
}

interface Telling {
  dropped: TargetRow[];
  service: string;
  releaseId: string;
  now: number;
}

async function tell(tx: Knex.Transaction, telling: Telling): Promise<void> {
  const { dropped, service, releaseId, now } = telling;
  const events = dropped.map(row => ({
    kind: 'target' as const,
    code: 'TargetSuperseded',
    params: {
      cluster: row.cluster,
      namespace: row.namespace,
      release: releaseId,
      state: 'Skipped',
    },
    message: `${row.cluster}/${row.namespace}: what was left to do is ${supersededBy(releaseId)}`,
    actor: 'system',
    key: `${row.cluster}/${row.namespace}`,
    releaseId: row.release_id,
    service,
    at: now,
  }));
  await appendEvents(tx, events);
}
