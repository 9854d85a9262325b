import type { Plan } from 'backstage-plugin-multicluster-release-common';
import type { ReleaseRun } from '../../decide/types';
import { fromJson } from '../json';
import type { LoadedRun, RunHead } from '../types';
import type { ReleaseRow } from './releaseRow';
import { targetRun } from './targetRow';
import type { TargetRow } from './targetRow';

export interface RunRows {
  release: Pick<ReleaseRow, 'head' | 'queued_behind' | 'needs_work' | 'revision'>;
  plans: { number: number; sequence: number; plan: Plan }[];
  targets: Pick<TargetRow, 'inventory' | 'detail'>[];
  lastSequence: number;
}

/** Puts a run together from its rows. */
export function assembleRun(rows: RunRows): LoadedRun {
  const run: ReleaseRun = {
    ...fromJson<RunHead>(rows.release.head),
    // Other releases write the column alone; a turn that finds nothing to do has to see it to end it.
    needsWork: Boolean(rows.release.needs_work),
    plans: rows.plans.map(row => row.plan),
    sequences: Object.fromEntries(rows.plans.map(row => [row.number, row.sequence])),
    lastSequence: rows.lastSequence,
    targets: rows.targets.map(targetRun),
  };
  if (rows.release.queued_behind !== null) {
    run.queuedBehind = rows.release.queued_behind;
  }
  return { run, revision: rows.release.revision };
}
