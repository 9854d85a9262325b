/*
 * One table for every state that the product knows (design.md 4.15): code, page
 * word, icon-and-colour key (pages.md section 9), and whether it is final.
 * Decide, API and pages read this table; none has a list of its own.
 */

export type ReleaseState =
  | 'Pending'
  | 'Progressing'
  | 'Waiting'
  | 'Paused'
  | 'RollingBack'
  | 'Succeeded'
  | 'CompletedWithPending'
  | 'RolledBack'
  | 'Aborted'
  | 'Failed'
  | 'Superseded'
  | 'NothingSelected';

export type TargetState =
  | 'Pending'
  | 'Blocked'
  | 'Offline'
  | 'Applying'
  | 'Verifying'
  | 'Soaking'
  | 'Done'
  | 'Unchanged'
  | 'Failed'
  | 'RollingBack'
  | 'RolledBack'
  | 'RollbackPending'
  | 'RollbackImpossible'
  | 'Skipped';

/** Colour and icon of pages.md section 9. */
export type StatusKey =
  | 'done'
  | 'running'
  | 'waiting'
  | 'pending'
  | 'paused'
  | 'stopped'
  | 'failed'
  | 'rolledBack'
  | 'skipped'
  | 'unknown';

export interface StateWord {
  word: string;
  key: StatusKey;
  /** Release: no further stage starts. Target: nothing more is done for it by this plan. */
  final: boolean;
}

export const RELEASE_STATES: Record<ReleaseState, StateWord> = {
  Pending: { word: 'Not started', key: 'pending', final: false },
  Progressing: { word: 'Running', key: 'running', final: false },
  Waiting: { word: 'Waiting', key: 'waiting', final: false },
  Paused: { word: 'Paused', key: 'paused', final: false },
  RollingBack: { word: 'Rolling back', key: 'running', final: false },
  Succeeded: { word: 'Done', key: 'done', final: true },
  CompletedWithPending: { word: 'Done, some pending', key: 'waiting', final: true },
  RolledBack: { word: 'Rolled back', key: 'rolledBack', final: true },
  Aborted: { word: 'Stopped', key: 'stopped', final: true },
  Failed: { word: 'Failed', key: 'failed', final: true },
  Superseded: { word: 'Superseded', key: 'skipped', final: true },
  NothingSelected: { word: 'Nothing selected', key: 'failed', final: true },
};

const RELEASE_STATE_NAMES = Object.keys(RELEASE_STATES) as ReleaseState[];

/** After these no further stage starts. */
export const FINAL_STATES = RELEASE_STATE_NAMES.filter(state => RELEASE_STATES[state].final);

/** Of a release under way. */
export const ACTIVE_STATES = RELEASE_STATE_NAMES.filter(state => !RELEASE_STATES[state].final);

export const TARGET_STATES: Record<TargetState, StateWord> = {
  Pending: { word: 'Not started', key: 'pending', final: false },
  Blocked: { word: 'Waiting', key: 'waiting', final: false },
  Offline: { word: 'Offline', key: 'unknown', final: false },
  Applying: { word: 'Applying', key: 'running', final: false },
  Verifying: { word: 'Verifying', key: 'running', final: false },
  Soaking: { word: 'Observing', key: 'waiting', final: false },
  Done: { word: 'Done', key: 'done', final: true },
  Unchanged: { word: 'Unchanged', key: 'done', final: true },
  Failed: { word: 'Failed', key: 'failed', final: true },
  RollingBack: { word: 'Rolling back', key: 'running', final: false },
  RolledBack: { word: 'Rolled back', key: 'rolledBack', final: true },
  RollbackPending: { word: 'Rollback pending', key: 'waiting', final: false },
  RollbackImpossible: { word: 'Cannot roll back', key: 'failed', final: true },
  Skipped: { word: 'Skipped', key: 'skipped', final: true },
};

export function isFinalRelease(state: ReleaseState): boolean {
  return RELEASE_STATES[state].final;
}

/** Reasons for waiting (pages.md section 8); a page has a text for each. */
export const WAITING_CODES = [
  'approval',
  'metric',
  'metric.nodata',
  'metric.undecided',
  'soak',
  'window',
  'freeze',
  'stopall',
  'paused',
  'stage',
  'slot',
  'queue',
  'clusters',
  'ready',
  'traffic',
  'unreachable',
  'retry',
  'budget',
  'promote',
  'changed',
  'planChanged',
  'dependsOn',
  'cordoned',
  'standby',
  'routeEdited',
  'rollbackPending',
  'hold',
  'starting',
  'refused',
] as const;

export type WaitingCode = (typeof WAITING_CODES)[number];

/** What stops a whole release, whatever its clusters are at. */
const STOPS_ALL: ReadonlySet<WaitingCode> = new Set([
  'paused',
  'queue',
  'clusters',
  'planChanged',
  'hold',
  'budget',
  'metric.undecided',
]);

/** No reason for waiting but work that goes on. */
const IS_WORK: ReadonlySet<WaitingCode> = new Set([
  'ready',
  'starting',
  'stage',
  'traffic',
  'metric',
  'metric.nodata',
]);

/**
 * Whether a release under way waits, and nothing is being worked at: all its
 * reasons together say whether it is `Waiting` or `Progressing`.
 */
export function onlyWaits(codes: readonly WaitingCode[]): boolean {
  return (
    codes.some(code => STOPS_ALL.has(code)) ||
    (codes.length > 0 && !codes.some(code => IS_WORK.has(code)))
  );
}

/** Why something waits, since when, and what ends it. */
export interface Waiting {
  code: WaitingCode;
  params: Record<string, string | number>;
  message: string;
  /** Epoch milliseconds. */
  since: number;
  until?: number;
  /** Who can act. */
  who?: string;
  /** Whether this is what the release waits for now (the first one shown). */
  blocking: boolean;
}

export type HealthState = 'Healthy' | 'Progressing' | 'Failed' | 'Unknown';

/** Live health of one target, as last seen. `Unknown` is never success. */
export interface TargetHealth {
  state: HealthState;
  /** Machine word of the cause, for example `CrashLoopBackOff`. */
  reason?: string;
  message?: string;
  ready?: number;
  total?: number;
}
