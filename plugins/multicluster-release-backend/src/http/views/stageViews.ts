import {
  isFinalRelease,
  type PlanStage,
  type StageView,
  type Waiting,
} from 'backstage-plugin-multicluster-release-common';
import { forwardPlan, gateSteps, stageTargets } from '../../decide/turn';
import type { ReleaseRun, StageRun, TargetRun } from '../../decide/types';
import { approvalViews } from './approvalViews';

/** The stages of the plan that leads forward, with what holds each. Pure; `timeScale` as in the settings. */
export function stageViews(run: ReleaseRun, timeScale: number): StageView[] {
  return forwardPlan(run).stages.map(stage => stageView(run, stage, timeScale));
}

function stageView(run: ReleaseRun, stage: PlanStage, timeScale: number): StageView {
  const stageRun = run.stages[stage.index] ?? { index: stage.index };
  const targets = stageTargets(run, stage);
  const pauseMilliseconds = soakOf(stage);
  return {
    index: stage.index,
    name: stage.name,
    kind: stage.kind,
    state: stateOf(run, stageRun, targets),
    done: count(targets, ['Done', 'Unchanged']),
    total: targets.length,
    failed: count(targets, ['Failed', 'RollbackImpossible']),
    gates: openGates(run, stage, stageRun, timeScale),
    approvals: approvalViews(run, stage.index),
    startedAt: stageRun.startedAt,
    finishedAt: stageRun.finishedAt,
    pauseMilliseconds,
    untilPromoted: gateSteps(stage).some(step => step.wait?.for === 'promotion') || undefined,
  };
}

function stateOf(run: ReleaseRun, stageRun: StageRun, targets: TargetRun[]): StageView['state'] {
  const failed = count(targets, ['Failed', 'RollbackImpossible']) > 0;
  const back = count(targets, ['RolledBack', 'RollbackPending', 'RollingBack']) > 0;
  if (back && run.rollback) {
    return 'rolledBack';
  }
  if (stageRun.finishedAt !== undefined) {
    return 'done';
  }
  if (failed) {
    return 'failed';
  }
  if (isFinalRelease(run.state)) {
    return 'skipped';
  }
  if (stageRun.startedAt === undefined) {
    return 'pending';
  }
  return stageRun.gateAt !== undefined ? 'waiting' : 'running';
}

function count(targets: TargetRun[], states: TargetRun['state'][]): number {
  return targets.filter(target => states.includes(target.state)).length;
}

/** As planned, unscaled: the stage's own cool-down, or that of each of its clusters. */
function soakOf(stage: PlanStage): number | undefined {
  const soaks = stage.steps.flatMap(({ wait }) => (wait?.for === 'soak' ? wait.milliseconds : []));
  return soaks.length > 0 ? Math.max(...soaks) : undefined;
}

function openGates(
  run: ReleaseRun,
  stage: PlanStage,
  stageRun: StageRun,
  timeScale: number,
): Waiting[] {
  const { gateAt } = stageRun;
  if (
    gateAt === undefined ||
    stageRun.finishedAt !== undefined ||
    isFinalRelease(run.state) ||
    run.rollback
  ) {
    return [];
  }
  const next = forwardPlan(run).stages[stage.index + 1]?.name ?? 'the end';
  return gateSteps(stage).flatMap(({ wait }): Waiting[] => {
    if (wait?.for === 'promotion' && stageRun.promotedBy === undefined) {
      return [
        gate('promote', gateAt, `Waiting for someone to promote to ${next}`, { stage: next }),
      ];
    }
    if (wait?.for === 'soak') {
      const until = gateAt + Math.round(wait.milliseconds * timeScale);
      return [
        {
          ...gate('soak', gateAt, `Observing ${stage.name}`, { stage: stage.name, time: until }),
          until,
        },
      ];
    }
    return [];
  });
}

function gate(
  code: Waiting['code'],
  since: number,
  message: string,
  params: Waiting['params'],
): Waiting {
  return { code, since, message, params, blocking: true };
}
