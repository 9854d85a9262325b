/* What the platform's people order for the whole fleet (api.md, Fleet controls). */
import type { EventView } from './types';

/** What an emergency stop reaches: exactly one kind. */
export type StopScope =
  | { all: true }
  | { regions: string[] }
  /** Groups of clusters that app-config names. */
  | { groups: string[] }
  /** Entity refs. */
  | { services: string[] }
  | { clusters: string[] };

/** How far an order goes, by what is known when it is asked. */
export interface Reach {
  /** Services that run there, or are being released to it. */
  services: number;
  clusters: number;
  /** Releases with work left there. */
  releases: number;
}

export interface StopRequest {
  scope: StopScope;
  reason: string;
  /** Rollbacks may write all the same; default false. */
  allowRollback?: boolean;
}

/** How an order ended. */
export interface OrderEnd {
  by: string;
  at: number;
  reason: string;
}

export interface StopView {
  id: string;
  scope: StopScope;
  reason: string;
  allowRollback: boolean;
  by: string;
  since: number;
  /** Undefined: in force. */
  lifted?: OrderEnd;
  /** As of now; undefined once lifted. */
  reach?: Reach;
}

export interface WindowRequest {
  name: string;
  /** Five fields; when it opens. */
  cron: string;
  /** For example `8h`. */
  duration: string;
  /** IANA name; default UTC. */
  timeZone?: string;
  kind: 'allow' | 'deny';
  /** Entity refs; undefined: all services. */
  services?: string[];
  reason: string;
}

export interface WindowView {
  id: string;
  name: string;
  cron: string;
  durationMilliseconds: number;
  timeZone: string;
  kind: 'allow' | 'deny';
  services?: string[];
  reason: string;
  by: string;
  since: number;
  removed?: OrderEnd;
  /** Why it cannot be read; it then counts as closed. */
  invalid?: string;
  /** When it is on: now, or next. `to` is undefined where its end is not within sight. */
  next?: { from: number; to?: number };
}

/** One time in which a window is on. */
export interface WindowOccurrence {
  windowId: string;
  name: string;
  kind: 'allow' | 'deny';
  from: number;
  to: number;
}

export interface WindowOccurrences {
  items: WindowOccurrence[];
  /** Windows that cannot be read, and why: they count as closed all the time. */
  invalid: { windowId: string; name: string; message: string }[];
  /** False where there are more than are listed; ask for a shorter time. */
  complete: boolean;
}

/** What happened, of a service or (without one) of the fleet. */
export interface AuditEntry extends EventView {
  service?: string;
}

export interface CordonView {
  by: string;
  reason: string;
  since: number;
}

export interface CordonRequest {
  cordoned: boolean;
  reason: string;
}
