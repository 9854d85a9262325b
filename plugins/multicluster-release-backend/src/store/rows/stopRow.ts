/* The `stops` table: emergency stops, with how they ended. */
import type { OrderEnd, StopScope } from 'backstage-plugin-multicluster-release-common';
import { fromJson } from '../json';
import type { StopRecord } from '../types';

export interface StopRow {
  id: string;
  scope: string;
  reason: string;
  allow_rollback: boolean | number;
  created_by: string;
  created_at: string | number;
  lifted_by: string | null;
  lifted_at: string | number | null;
  lift_reason: string | null;
}

export function stopRecord(row: StopRow): StopRecord {
  return {
    id: row.id,
    scope: fromJson<StopScope>(row.scope),
    reason: row.reason,
    allowRollback: Boolean(row.allow_rollback),
    by: row.created_by,
    since: Number(row.created_at),
    lifted: orderEnd(row.lifted_by, row.lifted_at, row.lift_reason),
  };
}

/** Undefined where the order is still in force. */
export function orderEnd(
  by: string | null,
  at: string | number | null,
  reason: string | null,
): OrderEnd | undefined {
  return at === null ? undefined : { by: by ?? '', at: Number(at), reason: reason ?? '' };
}
