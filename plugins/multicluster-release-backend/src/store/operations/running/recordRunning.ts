import type { Knex } from 'knex';
import { chunkRows } from '../../dialect';
import { sameJson } from '../../json';
import { runningChange } from '../../rows/runningRow';
import type { RunningRow } from '../../rows/runningRow';
import type { ReleaseRun, TargetRun } from '../../../decide/types';

export interface RunningTurn {
  before: ReleaseRun;
  run: ReleaseRun;
  /** Targets that differ between the two. */
  changed: TargetRun[];
  now: number;
}

/**
 * Brings the record of what runs up to date with a turn: the wanted sequence and
 * the inventory when a write starts, the content when it is proven. A target
 * whose rollback leaves nothing of ours loses its row.
 */
export async function recordRunning(tx: Knex.Transaction, turn: RunningTurn): Promise<void> {
  const old = new Map(turn.before.targets.map(target => [target.key, target]));
  const rows: RunningRow[] = [];
  const removed: TargetRun[] = [];
  for (const target of turn.changed) {
    const previous = old.get(target.key);
    const change = runningChange(turn.run, target);
    const same = previous && sameJson(runningChange(turn.before, previous), change);
    if (!change || same) {
      continue;
    }
    if (change === 'removed') {
      removed.push(target);
    } else {
      rows.push({
        ...change.row,
        since: change.row.digest === null ? null : turn.now,
      });
    }
  }
  await upsert(tx, rows);
  await remove(tx, turn.run.service, removed);
}

/** Nulls keep what the row says; `since` moves only with the content. */
async function upsert(tx: Knex.Transaction, rows: RunningRow[]): Promise<void> {
  for (const chunk of chunkRows(rows)) {
    await tx('running')
      .insert(chunk)
      .onConflict(['service', 'cluster', 'namespace'])
      .merge({
        version: tx.raw('coalesce(excluded.version, running.version)'),
        config_version: tx.raw(
          'case when excluded.digest is null then running.config_version else excluded.config_version end',
        ),
        digest: tx.raw('coalesce(excluded.digest, running.digest)'),
        wanted_sequence: tx.raw('coalesce(excluded.wanted_sequence, running.wanted_sequence)'),
        observed_sequence: tx.raw(
          'coalesce(excluded.observed_sequence, running.observed_sequence)',
        ),
        since: tx.raw(
          'case when excluded.digest is null or excluded.digest = running.digest then running.since else excluded.since end',
        ),
        release_id: tx.raw('excluded.release_id'),
        inventory: tx.raw(
          'case when excluded.wanted_sequence is null then running.inventory else excluded.inventory end',
        ),
      });
  }
}

async function remove(tx: Knex.Transaction, service: string, targets: TargetRun[]) {
  for (const chunk of chunkRows(
    targets.map(({ cluster, namespace }) => ({ cluster, namespace })),
  )) {
    await tx('running')
      .where('service', service)
      .whereIn(
        ['cluster', 'namespace'],
        chunk.map(target => [target.cluster, target.namespace]),
      )
      .delete();
  }
}
