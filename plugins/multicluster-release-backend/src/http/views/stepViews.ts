import type { Plan, PlanStage, PlanStep } from 'backstage-plugin-multicluster-release-common';
import type { ReleaseRun, TargetRun } from '../../decide/types';
import { track } from '../../decide/turn';

export interface StepView extends Omit<PlanStep, 'wait'> {
  plan: number;
  stage: number;
  wait?: PlanStep['wait'];
  /** Targets that have it behind them; for a stage's own step all or none. */
  passed: number;
  total: number;
}

/** Every instruction of every plan of a release, in order. Pure. */
export function stepViews(run: ReleaseRun): StepView[] {
  return run.plans.flatMap(plan =>
    plan.stages.flatMap(stage => stage.steps.map(step => stepView(run, { plan, stage, step }))),
  );
}

interface Place {
  plan: Plan;
  stage: PlanStage;
  step: PlanStep;
}

function stepView(run: ReleaseRun, place: Place): StepView {
  const { plan, stage, step } = place;
  const targets = run.targets.filter(({ key }) => stage.targets.includes(key));
  const total = step.scope === 'stage' ? 1 : targets.length;
  const passed =
    step.scope === 'stage'
      ? Number(run.stages[stage.index]?.finishedAt !== undefined)
      : targets.filter(target => hasPassed(target, place)).length;
  return { plan: plan.number, stage: stage.index, ...step, passed, total };
}

function hasPassed(target: TargetRun, { plan, stage, step }: Place): boolean {
  if (target.state === 'Unchanged') {
    return true;
  }
  return (
    target.plan === plan.number &&
    target.stage === stage.index &&
    target.position > track(stage).indexOf(step)
  );
}
