import type { Plan } from 'backstage-plugin-multicluster-release-common';
import { fromJson } from '../json';
import type { PlanRecord } from '../types';

export interface PlanRow {
  release_id: string;
  number: number;
  hash: string;
  kind: string;
  sequence: number;
  plan: string;
  created_at: string | number;
}

export function planRecord(row: PlanRow): PlanRecord {
  return {
    releaseId: row.release_id,
    number: row.number,
    hash: row.hash,
    kind: row.kind as Plan['kind'],
    sequence: row.sequence,
    createdAt: Number(row.created_at),
    plan: fromJson<Plan>(row.plan),
  };
}
