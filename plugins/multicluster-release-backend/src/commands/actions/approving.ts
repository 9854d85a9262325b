import type {
  ActionState,
  ApprovalRule,
  PlanStep,
} from 'backstage-plugin-multicluster-release-common';
import { forwardPlan, gateSteps } from '../../decide/turn';
import type { ReleaseRun } from '../../decide/types';
import { openQuestions } from './gates';
import { allowed, denied } from './states';

/** Who asks, as far as approvals look at it. */
export interface ApprovingViewer {
  /** User entity ref. */
  ref: string;
  /** Entity refs that the user stands for: their own, and those of their groups. */
  memberOf: string[];
}

/** Whether this viewer can add an approval to a question that is open now. */
export function approveState(run: ReleaseRun, viewer: ApprovingViewer | undefined): ActionState {
  const questions = openQuestions(run);
  if (questions.length === 0) {
    return denied('NothingToApprove', 'Nobody is asked for an approval now.');
  }
  const answers = questions.map(({ step, question }) => {
    const obstacle = mayAnswer(step, viewer) ?? mayApprove(run, step, viewer);
    const voted = question.votes.some(
      ({ by, planHash }) => by === viewer?.ref && planHash === forwardPlan(run).hash,
    );
    if (obstacle || !voted) {
      return obstacle ?? { ...allowed(run.stage), params: { gate: step.id } };
    }
    return denied('ApprovedAlready', 'You have approved it already.');
  });
  return answers.find(answer => answer.allowed) ?? answers[0];
}

/** Whoever is asked may say no, also after others have said yes. */
export function rejectState(run: ReleaseRun, viewer: ApprovingViewer | undefined): ActionState {
  const asked = askedSteps(run);
  if (asked.length === 0) {
    return denied('NothingToReject', 'Nobody has been asked for an approval.');
  }
  const answers = asked.map(
    step => mayAnswer(step, viewer) ?? { allowed: true, params: { gate: step.id } },
  );
  return answers.findLast(answer => answer.allowed) ?? answers[0];
}

/** Questions that have been put, up to the current stage. */
export function askedSteps(run: ReleaseRun): PlanStep[] {
  const { stages } = forwardPlan(run);
  return stages
    .slice(0, run.stage + 1)
    .flatMap(stage =>
      gateSteps(stage).filter(({ id }) =>
        run.stages[stage.index].approvals?.some(({ stepId }) => stepId === id),
      ),
    );
}

function ruleOf({ approve }: PlanStep): ApprovalRule {
  return { required: 1, from: [], selfApproval: false, ...approve };
}

function mayAnswer(step: PlanStep, viewer: ApprovingViewer | undefined): ActionState | undefined {
  const { from } = ruleOf(step);
  const stands = new Set([viewer?.ref, ...(viewer?.memberOf ?? [])]);
  return viewer && (from.length === 0 || from.some(ref => stands.has(ref)))
    ? undefined
    : denied('NotAsked', `Only ${from.join(', ') || 'people'} can answer.`, {
        who: from.join(', '),
      });
}

function mayApprove(
  run: ReleaseRun,
  step: PlanStep,
  viewer: ApprovingViewer | undefined,
): ActionState | undefined {
  return run.startedBy === viewer?.ref && !ruleOf(step).selfApproval
    ? denied('SelfApproval', 'Who started the release cannot approve it.')
    : undefined;
}
