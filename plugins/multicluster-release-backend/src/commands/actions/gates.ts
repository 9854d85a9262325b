import type { PlanStep } from 'backstage-plugin-multicluster-release-common';
import { currentStep, forwardPlan, isPutBack } from '../../decide/turn';
import type { ApprovalRun, ReleaseRun } from '../../decide/types';

/** Steps of the current stage that nobody has let go. */
function openSteps(run: ReleaseRun): PlanStep[] {
  const steps = forwardPlan(run).stages[run.stage]?.steps ?? [];
  const skipped = run.stages[run.stage]?.skipped ?? [];
  return steps.filter(({ id }) => !skipped.some(({ stepId }) => stepId === id));
}

/** Ids of the cool-downs that run now: of the stage, and of clusters on their own. */
export function runningWaits(run: ReleaseRun): string[] {
  const gateRuns = run.stages[run.stage]?.gateAt !== undefined;
  return openSteps(run)
    .filter(step => step.wait?.for === 'soak')
    .filter(step => (step.scope === 'stage' ? gateRuns : isWalkedNow(run, step.id)))
    .map(({ id }) => id);
}

/** The question that is open in the current stage, with its step. */
export function openQuestions(run: ReleaseRun): { step: PlanStep; question: ApprovalRun }[] {
  const { approvals = [] } = run.stages[run.stage] ?? {};
  return openSteps(run).flatMap(step => {
    const question = approvals.find(({ stepId }) => stepId === step.id);
    return question && question.passedAt === undefined ? [{ step, question }] : [];
  });
}

/** Ids of gates that may be let go: open questions, and Jobs that run. */
export function openGates(run: ReleaseRun): string[] {
  const questions = openQuestions(run).map(({ step }) => step.id);
  const jobs = openSteps(run)
    .filter(({ instruction, id }) => instruction === 'analyse' && isWalkedNow(run, id))
    .map(({ id }) => id);
  return [...questions, ...jobs];
}

function isWalkedNow(run: ReleaseRun, stepId: string): boolean {
  return run.targets.some(
    target => !isPutBack(run, target) && currentStep(run, target)?.id === stepId,
  );
}
