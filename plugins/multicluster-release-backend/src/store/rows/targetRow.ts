/* The `release_targets` table: one row per target, its columns an index into `detail`. */
import type { ContentRef, PlanTarget } from 'backstage-plugin-multicluster-release-common';
import type { InventoryItem } from 'backstage-plugin-multicluster-release-node';
import type { ReleaseRun, TargetRun } from '../../decide/types';
import { fromJson, toJson } from '../json';

export interface TargetRow {
  release_id: string;
  cluster: string;
  namespace: string;
  ordinal: number;
  group_name: string | null;
  state: string;
  plan: number;
  stage: number;
  position: number;
  from_digest: string | null;
  to_digest: string | null;
  sequence: number | null;
  touched: boolean | number;
  health: string;
  reported_at: string | number | null;
  inventory: string;
  detail: string;
}

/** A target as the plan that it follows has it. */
export function plannedTarget(run: ReleaseRun, target: TargetRun): PlanTarget | undefined {
  const plan = run.plans.find(candidate => candidate.number === target.plan);
  return plan?.targets.find(candidate => candidate.key === target.key);
}

/** What the plan that a target follows wants to run there; undefined: nothing of ours. */
export function wantedContent(run: ReleaseRun, target: TargetRun): ContentRef | undefined {
  return plannedTarget(run, target)?.to;
}

export function targetRow(run: ReleaseRun, target: TargetRun, ordinal: number): TargetRow {
  const { inventory, ...detail } = target;
  return {
    release_id: run.id,
    cluster: target.cluster,
    namespace: target.namespace,
    ordinal,
    group_name: target.group ?? null,
    state: target.state,
    plan: target.plan,
    stage: target.stage,
    position: target.position,
    from_digest: target.from?.digest ?? null,
    to_digest: wantedContent(run, target)?.digest ?? null,
    sequence: target.sequence ?? null,
    touched: target.touched,
    health: target.health.state,
    reported_at: target.reportedAt ?? null,
    inventory: toJson(inventory),
    detail: toJson(detail),
  };
}

export function targetRun(row: Pick<TargetRow, 'inventory' | 'detail'>): TargetRun {
  return {
    ...fromJson<Omit<TargetRun, 'inventory'>>(row.detail),
    inventory: fromJson<InventoryItem[]>(row.inventory),
  };
}
