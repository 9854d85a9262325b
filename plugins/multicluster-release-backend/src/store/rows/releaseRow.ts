/* The `releases` table: scalars that lists filter and sort by, the rest as JSON. */
import type {
  HealthState,
  Plan,
  ReleaseSpec,
  ReleaseState,
  TargetState,
} from 'backstage-plugin-multicluster-release-common';
import type { ReleaseRun } from '../../decide/types';
import { fromJson, toJson } from '../json';
import type { ReleaseRecord, RunHead } from '../types';

/** bigint columns come as text from PostgreSQL and as numbers from SQLite. */
export interface ReleaseRow {
  id: string;
  service: string;
  state: string;
  strategy: string;
  target_version: string;
  from_versions: string;
  plan_hash: string;
  plan_number: number;
  target_states: string;
  target_health: string;
  spec: string;
  head: string;
  started_by: string;
  on_behalf_of: string | null;
  link: string | null;
  reason: string | null;
  rolled_back_from: string | null;
  rolled_back_by: string | null;
  queued_behind: string | null;
  created_at: string | number;
  started_at: string | number | null;
  finished_at: string | number | null;
  revision: number;
  needs_work: boolean | number;
  lease_holder: string | null;
  lease_ticket: number;
  lease_until: string | number | null;
}

/** Columns that follow from the run; written by every settlement. */
export type RunColumns = Pick<
  ReleaseRow,
  | 'state'
  | 'target_version'
  | 'plan_hash'
  | 'plan_number'
  | 'target_states'
  | 'target_health'
  | 'head'
  | 'queued_behind'
  | 'started_at'
  | 'finished_at'
  | 'needs_work'
>;

function newestPlan(run: ReleaseRun): Plan {
  return run.plans[run.plans.length - 1];
}

/** The run without what has rows of its own. */
export function headOf(run: ReleaseRun): RunHead {
  const { plans, targets, sequences, lastSequence, queuedBehind, ...head } = run;
  return head;
}

function countBy<K extends string>(words: K[]): Partial<Record<K, number>> {
  const counts: Partial<Record<K, number>> = {};
  for (const word of words) {
    counts[word] = (counts[word] ?? 0) + 1;
  }
  return counts;
}

export function runColumns(run: ReleaseRun): RunColumns {
  const plan = newestPlan(run);
  return {
    state: run.state,
    target_version: run.targetVersion,
    plan_hash: plan.hash,
    plan_number: plan.number,
    target_states: toJson(countBy(run.targets.map(target => target.state))),
    target_health: toJson(countBy(run.targets.map(target => target.health.state))),
    head: toJson(headOf(run)),
    queued_behind: run.queuedBehind ?? null,
    started_at: run.startedAt ?? null,
    finished_at: run.finishedAt ?? null,
    needs_work: run.needsWork,
  };
}

export function optionalNumber(value: string | number | null): number | undefined {
  return value === null ? undefined : Number(value);
}

export function releaseRecord(row: ReleaseRow): ReleaseRecord {
  return {
    id: row.id,
    service: row.service,
    spec: fromJson<ReleaseSpec>(row.spec),
    strategy: row.strategy,
    state: row.state as ReleaseState,
    targetVersion: row.target_version,
    fromVersions: fromJson<string[]>(row.from_versions),
    plan: { hash: row.plan_hash, number: row.plan_number },
    targetStates: fromJson<Partial<Record<TargetState, number>>>(row.target_states),
    targetHealth: fromJson<Partial<Record<HealthState, number>>>(row.target_health),
    startedBy: row.started_by,
    onBehalfOf: row.on_behalf_of ?? undefined,
    link: row.link ?? undefined,
    reason: row.reason ?? undefined,
    rolledBackFrom: row.rolled_back_from ?? undefined,
    rolledBackBy: row.rolled_back_by ?? undefined,
    queuedBehind: row.queued_behind ?? undefined,
    createdAt: Number(row.created_at),
    startedAt: optionalNumber(row.started_at),
    finishedAt: optionalNumber(row.finished_at),
    needsWork: Boolean(row.needs_work),
    revision: row.revision,
    head: fromJson<RunHead>(row.head),
  };
}
