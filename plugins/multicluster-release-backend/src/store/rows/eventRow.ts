/* The `events` table: append-only, read by the timeline and the audit. */
import type { AuditEntry, EventView } from 'backstage-plugin-multicluster-release-common';
import type { RunEvent } from '../../decide/types';
import { fromJson, toJson } from '../json';
import { plainText } from '../plainText';
import { FLEET } from '../types';
import type { EventToWrite } from '../types';

export interface EventRow {
  id: string | number;
  release_id: string | null;
  service: string;
  at: string | number;
  kind: string;
  code: string;
  params: string;
  message: string;
  actor: string;
  reason: string | null;
  cluster: string | null;
  namespace: string | null;
  stage: number | null;
}

export function eventRow(event: EventToWrite): Omit<EventRow, 'id'> {
  const [cluster, namespace] = event.key?.split('/') ?? [];
  return {
    release_id: event.releaseId ?? null,
    service: event.service,
    at: event.at,
    kind: event.kind,
    code: event.code,
    params: toJson(event.params),
    message: plainText(event.message),
    actor: event.actor,
    reason: event.reason === undefined ? null : plainText(event.reason),
    cluster: cluster ?? event.cluster ?? null,
    namespace: namespace ?? null,
    stage: event.stage ?? null,
  };
}

/** Events of one run as they are written. */
export function runEvents(
  run: { id: string; service: string },
  events: RunEvent[],
  at: number,
): EventToWrite[] {
  return events.map(event => ({
    ...event,
    releaseId: run.id,
    service: run.service,
    at,
  }));
}

export function eventView(row: EventRow): EventView {
  return {
    id: Number(row.id),
    at: Number(row.at),
    releaseId: row.release_id ?? undefined,
    kind: row.kind,
    code: row.code,
    params: fromJson<EventView['params']>(row.params),
    message: row.message,
    actor: row.actor,
    reason: row.reason ?? undefined,
    cluster: row.cluster ?? undefined,
    namespace: row.namespace ?? undefined,
    stage: row.stage ?? undefined,
  };
}

export function auditEntry(row: EventRow): AuditEntry {
  return { ...eventView(row), service: row.service === FLEET ? undefined : row.service };
}
