/*
 * Which state follows which (design.md 4.15). decide changes a target's state
 * only along this table; docs/states.md is drawn from it.
 */
import { FINAL_STATES, type ReleaseState, type TargetState } from './states';

const BACK: TargetState[] = ['RollingBack', 'RollbackPending'];

export const TARGET_TRANSITIONS: Record<TargetState, readonly TargetState[]> = {
  // Also straight to a way back: where an earlier attempt has written.
  Pending: ['Applying', 'Offline', 'Unchanged', 'Skipped', 'Failed', ...BACK],
  Blocked: ['Applying', 'Pending', 'Offline', 'Failed', 'Unchanged', 'Skipped', ...BACK],
  Offline: ['Pending', 'Applying', 'Verifying', 'Failed', 'Unchanged', 'Skipped', ...BACK],
  Applying: [
    'Pending',
    'Blocked',
    'Offline',
    'Verifying',
    'Soaking',
    'Done',
    'Failed',
    'Unchanged',
    'Skipped',
    ...BACK,
  ],
  // Back to Applying: to write a new holder's stamp, or to try again.
  Verifying: ['Applying', 'Pending', 'Soaking', 'Done', 'Failed', 'Offline', 'Skipped', ...BACK],
  Soaking: ['Applying', 'Pending', 'Verifying', 'Done', 'Failed', 'Offline', 'Skipped', ...BACK],
  // Guarded until the release is final.
  Done: ['Applying', 'Failed', ...BACK],
  // Skipped: its cluster is not selected any more when the turn of a queued release comes.
  Unchanged: ['Pending', 'Skipped'],
  // A person lets it try again, or it goes back.
  Failed: ['Pending', 'Skipped', ...BACK],
  RollingBack: ['RolledBack', 'RollbackPending', 'RollbackImpossible', 'Failed', 'Skipped'],
  RollbackPending: ['RollingBack', 'RolledBack', 'RollbackImpossible', 'Failed', 'Skipped'],
  RolledBack: [],
  RollbackImpossible: [],
  Skipped: [],
};

const MOVING: ReleaseState[] = ['Progressing', 'Waiting', 'Paused'];

/** While a release is under way its state follows from its targets and orders; once final it stays. */
export const RELEASE_TRANSITIONS: Record<ReleaseState, readonly ReleaseState[]> = {
  Pending: [...MOVING, 'RollingBack', ...FINAL_STATES],
  Progressing: ['Waiting', 'Paused', 'RollingBack', ...FINAL_STATES],
  Waiting: ['Progressing', 'Paused', 'RollingBack', ...FINAL_STATES],
  Paused: ['Progressing', 'Waiting', 'Pending', 'RollingBack', ...FINAL_STATES],
  RollingBack: ['RolledBack', 'Failed', 'Aborted'],
  Succeeded: [],
  CompletedWithPending: [],
  RolledBack: [],
  Aborted: [],
  Failed: [],
  Superseded: [],
  NothingSelected: [],
};

export function mayFollow(from: TargetState, to: TargetState): boolean {
  return from === to || TARGET_TRANSITIONS[from].includes(to);
}
