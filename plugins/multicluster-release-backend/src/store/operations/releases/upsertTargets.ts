import type { Knex } from 'knex';
import type { ReleaseRun, TargetRun } from '../../../decide/types';
import { chunkRows } from '../../dialect';
import { sameJson } from '../../json';
import { targetRow } from '../../rows/targetRow';
import { insertContentReferences } from '../contents/insertContentReferences';

/**
 * A report that says nothing new moves the time of report only so often: else
 * every idle turn would write a row for each cluster.
 */
const REPORT_MILLISECONDS = 30_000;

/** Targets of `run` whose row would say something else than in `before`. */
export function changedTargets(before: ReleaseRun, run: ReleaseRun): TargetRun[] {
  const old = new Map(before.targets.map(target => [target.key, target]));
  return run.targets.filter(target => {
    const previous = old.get(target.key);
    return !previous || differs(previous, target);
  });
}

function differs(before: TargetRun, after: TargetRun): boolean {
  if (before === after) {
    return false;
  }
  const moved = Math.abs((after.reportedAt ?? 0) - (before.reportedAt ?? 0));
  const reportedAt = moved < REPORT_MILLISECONDS ? before.reportedAt : after.reportedAt;
  return !sameJson(before, { ...after, reportedAt });
}

/** Writes the rows of `changed`, and which contents of before the release they need. */
export async function upsertTargets(
  tx: Knex.Transaction,
  before: ReleaseRun | undefined,
  run: ReleaseRun,
  changed: TargetRun[],
): Promise<void> {
  const ordinals = new Map(run.targets.map((target, index) => [target.key, index]));
  const rows = changed.map(target => targetRow(run, target, ordinals.get(target.key) ?? 0));
  for (const chunk of chunkRows(rows)) {
    await tx('release_targets')
      .insert(chunk)
      .onConflict(['release_id', 'cluster', 'namespace'])
      .merge();
  }
  const known = new Set(before?.targets.map(target => target.beforeDigest));
  const adopted = changed.flatMap(({ beforeDigest }) =>
    beforeDigest !== undefined && !known.has(beforeDigest) ? [beforeDigest] : [],
  );
  await insertContentReferences(tx, run.id, adopted);
}
