import { placeWithout, type Dependency } from 'backstage-plugin-multicluster-release-common';
import { layersVerdict, type WindowVerdict } from '../controls';
import { isRestore, leadsBack } from './rollback';
import { endPhase, forwardPlan, isPutBack, targetEvent, type Turn } from './turn';
import { moveTarget } from './move';
import type { StopOrder, TargetRun } from './types';
import { isWalking } from './walk';

/** Emergency stops that forbid writing to the target now; automatic rollback included (design.md 4.12). */
export function stopsOf({ run, inputs }: Turn, target: TargetRun): StopOrder[] {
  const goesBack = isPutBack(run, target) || leadsBack(run);
  return (inputs.controls?.stops ?? []).filter(
    stop => stop.clusters.includes(target.cluster) && !(stop.allowRollback && goesBack),
  );
}

/** Time-outs stand still while nothing may be written: the wait proves nothing about the version. */
export function settleStops(turn: Turn): void {
  for (const target of turn.run.targets) {
    if (stopsOf(turn, target).length > 0) {
      target.stoppedSince ??= turn.now;
    } else if (target.stoppedSince !== undefined) {
      if (target.timeoutAt !== undefined) {
        target.timeoutAt += turn.now - target.stoppedSince;
      }
      target.stoppedSince = undefined;
    }
  }
}

/** Of the platform and of the release's own policy. Going back is free of windows (design.md 4.9). */
export function windowOf({ run, inputs, now }: Turn): WindowVerdict {
  if (leadsBack(run)) {
    return { open: true };
  }
  const own = forwardPlan(run).rules.windows ?? [];
  return layersVerdict([inputs.controls?.windows ?? [], own], now);
}

/** A service that has to run first and does not, with the cluster where it is missing; undefined: all do. */
export function missingDependency(
  turn: Turn,
  target: TargetRun,
): { dependency: Dependency; cluster: string } | undefined {
  if (isRestore(turn.run)) {
    return undefined;
  }
  for (const dependency of forwardPlan(turn.run).rules.dependsOn ?? []) {
    const running = (turn.inputs.controls?.dependencies ?? []).filter(
      ({ service }) => service === dependency.service,
    );
    const cluster = placeWithout(dependency, target.cluster, running);
    if (cluster !== undefined) {
      return { dependency, cluster };
    }
  }
  return undefined;
}

/** Clusters that left the fleet are passed over with a mark; what is done there stays as it is (C24). */
export function settleLeavers(turn: Turn): void {
  const left = new Set(turn.inputs.controls?.left ?? []);
  for (const target of turn.run.targets) {
    if (
      left.has(target.cluster) &&
      !target.skip &&
      (isWalking(target) || WAITS.has(target.state))
    ) {
      endPhase(turn, target);
      moveTarget(target, 'Skipped');
      target.message = 'left the fleet';
      target.left = true;
      target.timeoutAt = undefined;
      targetEvent(turn, target, 'TargetLeft', 'left the fleet; the release goes on without it');
    }
  }
}

const WAITS = new Set(['Pending', 'Offline']);
