import type { HoldRecord } from '../types';
import { optionalNumber } from './releaseRow';

export interface HoldRow {
  id: string;
  service: string;
  version: string;
  reason: string;
  release_id: string;
  since: string | number;
  released_by: string | null;
  released_at: string | number | null;
}

export function holdRecord(row: HoldRow): HoldRecord {
  return {
    id: row.id,
    service: row.service,
    version: row.version,
    reason: row.reason,
    releaseId: row.release_id,
    since: Number(row.since),
    releasedBy: row.released_by ?? undefined,
    releasedAt: optionalNumber(row.released_at),
  };
}
