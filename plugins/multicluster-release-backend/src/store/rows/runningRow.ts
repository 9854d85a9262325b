/* The `running` table: what our record says runs on each target. */
import type { InventoryItem } from 'backstage-plugin-multicluster-release-node';
import type { ReleaseRun, TargetRun } from '../../decide/types';
import { fromJson, toJson } from '../json';
import type { RunningRecord } from '../types';
import { optionalNumber } from './releaseRow';
import { plannedTarget, wantedContent } from './targetRow';

export interface RunningRow {
  service: string;
  cluster: string;
  namespace: string;
  version: string | null;
  config_version: string | null;
  digest: string | null;
  wanted_sequence: number | null;
  observed_sequence: number | null;
  since: string | number | null;
  release_id: string;
  inventory: string;
}

/** What a target's state adds to the record; `removed`: nothing of ours is left there. */
export type RunningChange = { row: Omit<RunningRow, 'since'> } | 'removed' | undefined;

/** States in which the content that the target follows was seen there and healthy. */
const PROVEN = new Set<TargetRun['state']>(['Soaking', 'Done', 'RolledBack', 'Unchanged']);

/**
 * What the record must say because of this target. Undefined where this release
 * has not written to it, unless its plan found the content there already (the
 * state alone does not say so: untouched clusters of a rolled-back release are
 * `Unchanged` too). Nulls mean: as it was.
 */
export function runningChange(run: ReleaseRun, target: TargetRun): RunningChange {
  // One that waits in a queue says what it expects, not what runs.
  const unchanged =
    !target.touched && target.state === 'Unchanged' && run.queuedBehind === undefined;
  if (!target.touched && !(unchanged && plannedTarget(run, target)?.unchanged)) {
    return undefined;
  }
  // At a weight the content before still runs beside it.
  const proven = PROVEN.has(target.state) && target.weight === undefined;
  const content = proven ? wantedContent(run, target) : undefined;
  if (proven && !content) {
    return 'removed';
  }
  const wanted = unchanged ? null : target.sequence ?? null;
  return {
    row: {
      service: run.service,
      cluster: target.cluster,
      namespace: target.namespace,
      version: content?.version ?? null,
      config_version: content?.configVersion ?? null,
      digest: content?.digest ?? null,
      wanted_sequence: wanted,
      observed_sequence: proven ? wanted : null,
      release_id: run.id,
      inventory: toJson(target.inventory),
    },
  };
}

export function runningRecord(row: RunningRow): RunningRecord {
  return {
    service: row.service,
    cluster: row.cluster,
    namespace: row.namespace,
    version: row.version ?? undefined,
    configVersion: row.config_version ?? undefined,
    digest: row.digest ?? undefined,
    wantedSequence: row.wanted_sequence ?? undefined,
    observedSequence: row.observed_sequence ?? undefined,
    since: optionalNumber(row.since),
    releaseId: row.release_id,
    inventory: fromJson<InventoryItem[]>(row.inventory),
  };
}
