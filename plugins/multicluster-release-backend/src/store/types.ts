/*
 * What the store promises to engine, commands and http. One operation is one
 * file in operations/, named by what it does, a free function whose first
 * argument is a knex (or a transaction where it says `tx`).
 *
 * Lock order, for whoever takes more than one: services row, then releases row,
 * then everything below it. A lease is on a releases row.
 */
import type { ReleaseRun, RunEvent } from '../decide/types';

/** A claim on one release. Every state write carries its ticket (design.md 4.1). */
export interface Lease {
  releaseId: string;
  /** Identifies the replica that holds it. */
  holder: string;
  /** Grows with every claim, not with renewals. */
  ticket: number;
  /**
   * Until when, on this process's own clock: the moment before the claiming
   * query was sent plus the lease's length, so it never ends later than the
   * database's own.
   */
  until: number;
}

export interface LoadedRun {
  run: ReleaseRun;
  /** Counts up with every write to the release; what ETags and signals carry. */
  revision: number;
}

/** Expected ends of a settling write. */
export type SettleResult = 'settled' | 'unchanged' | 'claimLost';

export interface EventToWrite extends RunEvent {
  releaseId?: string;
  service: string;
  at: number;
}
