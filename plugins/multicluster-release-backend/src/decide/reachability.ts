import { failTarget } from './failure';
import { endPhase, forwardPlan, isPutBack, targetEvent, wake, type Turn } from './turn';
import { moveTarget } from './move';
import type { TargetRun } from './types';
import { isWalking } from './walk';

/** Gives the states their words where a cluster does not answer. Such a target uses no slot (C50). */
export function settleReachability(turn: Turn): void {
  for (const target of turn.run.targets) {
    if (
      target.unreachableSince !== undefined &&
      (isWalking(target) || target.state === 'Pending')
    ) {
      settleUnreachable(turn, target, target.unreachableSince);
    }
  }
}

function settleUnreachable(turn: Turn, target: TargetRun, since: number): void {
  if (isPutBack(turn.run, target)) {
    moveTarget(target, 'RollbackPending');
    return;
  }
  if (target.writtenAt === undefined) {
    moveTarget(target, 'Pending');
    target.position = 0;
    target.timeoutAt = undefined;
    endPhase(turn, target);
  }
  const { offline } = forwardPlan(turn.run).rules;
  const offlineAt = since + offline.afterMilliseconds;
  if (turn.now < offlineAt) {
    wake(turn, offlineAt);
    return;
  }
  if (offline.policy === 'Fail') {
    failTarget(turn, target, 'Offline', 'the cluster is offline');
    return;
  }
  moveTarget(target, 'Offline');
  endPhase(turn, target);
  if (target.offlineSince === undefined) {
    target.offlineSince = turn.now;
    targetEvent(turn, target, 'TargetOffline', 'is offline; the others go on');
  }
}
