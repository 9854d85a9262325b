import {
  isFinalRelease,
  type PlanStage,
  type StageView,
  type Waiting,
} from 'backstage-plugin-multicluster-release-common';
import { forwardPlan, gateSteps, stageTargets } from '../../decide/turn';
import type { ReleaseRun, StageRun, TargetRun } from '../../decide/types';
import { approvalViews } from './approvalViews';
import { waitingView } from './waitingView';

/** More clusters of a stage than this are counted, not named. */
const MOST_CLUSTERS = 8;

/** The stages of the plan that leads forward, with what holds each. Pure. */
export function stageViews(run: ReleaseRun): StageView[] {
  return forwardPlan(run).stages.map(stage => stageView(run, stage));
}

function stageView(run: ReleaseRun, stage: PlanStage): StageView {
  const stageRun = run.stages[stage.index] ?? { index: stage.index };
  const targets = stageTargets(run, stage);
  const pauseMilliseconds = soakOf(stage);
  return {
    index: stage.index,
    name: stage.name,
    kind: stage.kind,
    clusters: targets.slice(0, MOST_CLUSTERS).map(({ cluster }) => cluster),
    state: stateOf(run, stageRun, targets),
    done: count(targets, ['Done', 'Unchanged']),
    total: targets.length,
    failed: count(targets, ['Failed', 'RollbackImpossible']),
    gates: openGates(run, stage),
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

const GATE_CODES = new Set<Waiting['code']>(['promote', 'soak', 'approval']);

/** Of gates too, though they name the cluster that is measured. */
const METRIC_CODES = new Set<Waiting['code']>(['metric', 'metric.nodata', 'metric.undecided']);

/** What the release waits for at the gate of this stage; clusters on their own are in the lanes. */
function openGates(run: ReleaseRun, { index }: PlanStage): Waiting[] {
  if (index !== run.stage || isFinalRelease(run.state)) {
    return [];
  }
  return run.waiting
    .filter(
      ({ code, params }) =>
        METRIC_CODES.has(code) || (GATE_CODES.has(code) && params.cluster === undefined),
    )
    .map(waiting => waitingView(run, waiting));
}
