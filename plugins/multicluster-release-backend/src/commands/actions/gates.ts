import type { PlanStep } from 'backstage-plugin-multicluster-release-common';
import { isGateSkipped, targetsAt } from '../../decide/skips';
import { forwardPlan } from '../../decide/turn';
import type { ApprovalRun, ReleaseRun } from '../../decide/types';

/** Steps of the current stage that nobody has let go; of a track, those that some target is at. */
function openSteps(run: ReleaseRun): PlanStep[] {
  const steps = forwardPlan(run).stages[run.stage]?.steps ?? [];
  const stageRun = run.stages[run.stage];
  return steps.filter(step =>
    step.scope === 'stage'
      ? !isGateSkipped(stageRun, step.id)
      : targetsAt(run, stageRun, step).length > 0,
  );
}

/** The cool-downs that run now: of the stage, and of clusters on their own. */
export function runningWaits(run: ReleaseRun): PlanStep[] {
  const gateRuns = run.stages[run.stage]?.gateAt !== undefined;
  return openSteps(run).filter(
    ({ wait, scope }) => wait?.for === 'soak' && (scope === 'target' || gateRuns),
  );
}

/** The question that is open in the current stage, with its step. */
export function openQuestions(run: ReleaseRun): { step: PlanStep; question: ApprovalRun }[] {
  const { approvals = [] } = run.stages[run.stage] ?? {};
  return openSteps(run).flatMap(step => {
    const question = approvals.find(({ stepId }) => stepId === step.id);
    return question && question.passedAt === undefined ? [{ step, question }] : [];
  });
}

/** Gates that may be let go: open questions, Jobs that run, and measurements. */
export function openGates(run: ReleaseRun): PlanStep[] {
  const questions = openQuestions(run).map(({ step }) => step);
  const gateRuns = run.stages[run.stage]?.gateAt !== undefined;
  const analyses = openSteps(run).filter(
    ({ instruction, scope }) => instruction === 'analyse' && (scope === 'target' || gateRuns),
  );
  return [...questions, ...analyses];
}
