/* The `cordons` table: clusters that take no new release. */
import type { CordonRecord } from '../types';
import { orderEnd } from './stopRow';

export interface CordonRow {
  id: string;
  cluster: string;
  reason: string;
  created_by: string;
  created_at: string | number;
  lifted_by: string | null;
  lifted_at: string | number | null;
  lift_reason: string | null;
}

export function cordonRecord(row: CordonRow): CordonRecord {
  return {
    id: row.id,
    cluster: row.cluster,
    reason: row.reason,
    by: row.created_by,
    since: Number(row.created_at),
    lifted: orderEnd(row.lifted_by, row.lifted_at, row.lift_reason),
  };
}
