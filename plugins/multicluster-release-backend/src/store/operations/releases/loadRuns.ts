import type { Plan } from 'backstage-plugin-multicluster-release-common';
import type { Knex } from 'knex';
import { chunkKeys, readTransaction } from '../../dialect';
import { fromJson } from '../../json';
import { assembleRun } from '../../rows/assembleRun';
import { releaseRecord, type ReleaseRow } from '../../rows/releaseRow';
import type { TargetRow } from '../../rows/targetRow';
import type { ShownRun } from '../../types';

interface PlanRow {
  release_id: string;
  number: number;
  sequence: number;
  plan: string;
}

type ReleaseWithSequence = ReleaseRow & { last_sequence: number };

/**
 * Reads runs to be shown with their releases, without locks, all as of one
 * moment, by release id. Unknown ids are absent.
 */
export async function loadRuns(
  database: Knex,
  releaseIds: string[],
): Promise<Map<string, ShownRun>> {
  const runs = new Map<string, ShownRun>();
  for (const ids of chunkKeys(releaseIds)) {
    const rows = await readTransaction(database, tx => readRows(tx, ids));
    for (const release of rows.releases) {
      const loaded = assembleRun({
        release,
        plans: rows.plans
          .filter(row => row.release_id === release.id)
          .map(row => ({ ...row, plan: fromJson<Plan>(row.plan) })),
        targets: rows.targets.filter(row => row.release_id === release.id),
        lastSequence: release.last_sequence,
      });
      runs.set(release.id, { ...loaded, record: releaseRecord(release) });
    }
  }
  return runs;
}

async function readRows(tx: Knex.Transaction, ids: string[]) {
  const releases = await tx('releases')
    .join('services', 'services.service', 'releases.service')
    .select<ReleaseWithSequence[]>('releases.*', 'services.last_sequence')
    .whereIn('id', ids);
  const plans = await tx('plans')
    .select<PlanRow[]>('release_id', 'number', 'sequence', 'plan')
    .whereIn('release_id', ids)
    .orderBy(['release_id', 'number']);
  const targets = await tx<TargetRow>('release_targets')
    .select('release_id', 'inventory', 'detail')
    .whereIn('release_id', ids)
    .orderBy(['release_id', 'ordinal']);
  return { releases, plans, targets };
}
