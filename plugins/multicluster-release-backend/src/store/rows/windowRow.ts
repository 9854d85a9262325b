/* The `windows` table: release windows of the platform. */
import type { WindowSpec } from 'backstage-plugin-multicluster-release-common';
import { fromJson } from '../json';
import type { WindowRecord } from '../types';
import { orderEnd } from './stopRow';

export interface WindowRow {
  id: string;
  name: string;
  cron: string;
  duration: string | number;
  time_zone: string;
  kind: string;
  services: string | null;
  reason: string;
  created_by: string;
  created_at: string | number;
  removed_by: string | null;
  removed_at: string | number | null;
  remove_reason: string | null;
}

export function windowRecord(row: WindowRow): WindowRecord {
  return {
    id: row.id,
    spec: {
      name: row.name,
      cron: row.cron,
      durationMilliseconds: Number(row.duration),
      timeZone: row.time_zone,
      kind: row.kind as WindowSpec['kind'],
    },
    services: row.services === null ? undefined : fromJson<string[]>(row.services),
    reason: row.reason,
    by: row.created_by,
    since: Number(row.created_at),
    removed: orderEnd(row.removed_by, row.removed_at, row.remove_reason),
  };
}
