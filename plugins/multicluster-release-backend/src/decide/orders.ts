import type { Dependency } from 'backstage-plugin-multicluster-release-common';
import { satisfies } from 'semver';
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
    const cluster = firstWithout(turn, target, dependency);
    if (cluster !== undefined) {
      return { dependency, cluster };
    }
  }
  return undefined;
}

function firstWithout(
  { inputs }: Turn,
  target: TargetRun,
  { service, version, on }: Dependency,
): string | undefined {
  const records = (inputs.controls?.dependencies ?? []).filter(
    record => record.service === service,
  );
  const places = placesOf(
    on,
    target.cluster,
    records.map(({ cluster }) => cluster),
  );
  return places.find(place => {
    const there = records.filter(({ cluster }) => cluster === place);
    return there.length === 0 || !there.every(record => isWanted(record.version, version));
  });
}

/** `all` is everywhere where that service runs; where it runs nowhere it is missing here. */
function placesOf(on: Dependency['on'], own: string, known: string[]): string[] {
  if (on === 'same') {
    return [own];
  }
  if (on === 'all') {
    return known.length > 0 ? known : [own];
  }
  return on;
}

function isWanted(version: string | undefined, range: string | undefined): boolean {
  if (version === undefined) {
    return false;
  }
  return range === undefined || satisfies(version, range, { includePrerelease: true });
}

/** Clusters that left the fleet are passed over with a mark; what is done there stays as it is (C24). */
export function settleLeavers(turn: Turn): void {
  const left = new Set(turn.inputs.controls?.left ?? []);
  for (const target of turn.run.targets) {
    if (left.has(target.cluster) && (isWalking(target) || WAITS.has(target.state))) {
      endPhase(turn, target);
      moveTarget(target, 'Skipped');
      target.message = 'left the fleet';
      target.timeoutAt = undefined;
      targetEvent(turn, target, 'TargetLeft', 'left the fleet; the release goes on without it');
    }
  }
}

const WAITS = new Set(['Pending', 'Offline']);
