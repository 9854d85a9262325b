import { putBackAlone } from './rollback';
import { endPhase, isPutBack, targetEvent, type Turn } from './turn';
import { moveTarget } from './move';
import type { TargetRun } from './types';

/**
 * Clusters that a person takes out of the release: an untouched one is passed
 * over, what was written goes back alone. Done ones are taken out only where
 * the person says so by rolling them back.
 */
export function settleSkips(turn: Turn): void {
  for (const target of turn.run.targets) {
    if (target.skip && !isPutBack(turn.run, target) && target.state !== 'Skipped') {
      takeOut(turn, target, target.skip.by);
    }
  }
}

function takeOut(turn: Turn, target: TargetRun, by: string): void {
  if (target.touched) {
    putBackAlone(turn, target);
    return;
  }
  if (target.state === 'Unchanged') {
    return;
  }
  endPhase(turn, target);
  moveTarget(target, 'Skipped');
  target.message = undefined;
  target.changedRisks = undefined;
  targetEvent(turn, target, 'TargetSkipped', 'is skipped', by);
}
