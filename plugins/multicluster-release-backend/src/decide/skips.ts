import type { PlanStep, TargetKey } from 'backstage-plugin-multicluster-release-common';
import { currentStep, isPutBack } from './turn';
import type { ReleaseRun, StageRun, TargetRun } from './types';

/** A person let this step of the stage's own gate go. */
export function isGateSkipped(stageRun: StageRun | undefined, stepId: string): boolean {
  return stageRun?.skipped?.some(skip => skip.stepId === stepId) === true;
}

/** A person let this step of the track go for this target; older records, without keys, mean all. */
export function isTrackSkipped(
  stageRun: StageRun | undefined,
  stepId: string,
  key: TargetKey,
): boolean {
  return (
    stageRun?.skipped?.some(
      ({ stepId: id, keys }) => id === stepId && (keys === undefined || keys.includes(key)),
    ) === true
  );
}

/** Targets that are at this step of their track now, and for which nobody has let it go yet. */
export function targetsAt(run: ReleaseRun, stageRun: StageRun, { id }: PlanStep): TargetRun[] {
  return run.targets.filter(
    target =>
      target.stage === stageRun.index &&
      !LEFT.has(target.state) &&
      !isPutBack(run, target) &&
      currentStep(run, target)?.id === id &&
      !isTrackSkipped(stageRun, id, target.key),
  );
}

/** These keep their place in the track, and yet do not wait there. */
const LEFT = new Set<TargetRun['state']>(['Failed', 'Skipped']);

/** A new attempt of a target observes and runs again whatever was let go for the last one. */
export function forgetSkips(run: ReleaseRun, key: TargetKey): void {
  for (const stageRun of run.stages.filter(({ skipped }) => skipped !== undefined)) {
    stageRun.skipped = stageRun.skipped
      ?.map(skip => (skip.keys ? { ...skip, keys: skip.keys.filter(each => each !== key) } : skip))
      .filter(({ keys }) => keys?.length !== 0);
  }
}
