import type { ReleaseRun } from '../../decide';
import { checkBounds } from './checkBounds';
import { checkStarts } from './checkControls';
import { checkEvidence, checkGates } from './checkGates';
import { checkLeavers, checkMembership } from './checkMembers';
import { checkEnded, checkHistory, checkWaiting } from './checkRecord';
import { checkRemovalTurn } from './checkRemoval';
import type { Facts } from './facts';

/** Asked after every turn that was written down. */
export function checkCommit(before: ReleaseRun, after: ReleaseRun, facts: Facts): void {
  checkHistory(before, after, facts);
  checkBounds(before, after);
  checkStarts(before, after, facts);
  checkGates(before, after, facts);
  checkEvidence(before, after, facts);
  checkEnded(before, after, facts);
  checkLeavers(before, after, facts);
  checkMembership(before, after, facts);
  checkRemovalTurn(before, after, facts);
  checkWaiting(after, facts);
}
