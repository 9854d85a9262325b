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
  /** User entity ref, or the subject of a service. */
  ref: string;
  /** Entity refs that the user stands for: their own, and those of their groups. */
  memberOf: string[];
  /** A token of a machine: it answers only where it is named. */
  isService?: boolean;
  /** Keeps the fleet (`fleet.write`): may let an approval go that others are asked for. */
  isPlatform?: boolean;
}

/** Who asks, and whose release it is. */
export interface Asker {
  viewer?: ApprovingViewer;
  /** Who started the release: the caller, and for whom it called. */
  starters?: (string | undefined)[];
}

/** Whether this viewer can add an approval to a question that is open now. */
export function approveState(run: ReleaseRun, asker: Asker): ActionState {
  const { viewer } = asker;
  const questions = openQuestions(run);
  if (questions.length === 0) {
    return denied('NothingToApprove', 'Nobody is asked for an approval now.');
  }
  const answers = questions.map(({ step, question }) => {
    const obstacle = approveObstacle(run, step, asker);
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

function approveObstacle(run: ReleaseRun, step: PlanStep, asker: Asker): ActionState | undefined {
  return mayAnswer(step, asker.viewer) ?? mayApprove(run, step, asker);
}

/** An approval is let go by whoever may give it, or by the platform; other gates by all who may promote. */
export function skipObstacle(
  run: ReleaseRun,
  step: PlanStep,
  asker: Asker,
): ActionState | undefined {
  if (step.instruction !== 'approve' || asker.viewer?.isPlatform) {
    return undefined;
  }
  const obstacle = approveObstacle(run, step, asker);
  const hint = 'Whoever may not give an approval may not skip it; ask the platform to.';
  return obstacle && { ...obstacle, message: `${obstacle.message} ${hint}` };
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
  const isAsked =
    from.length === 0 ? viewer?.isService !== true : from.some(ref => stands.has(ref));
  const who = from.join(', ') || 'people';
  return viewer && isAsked ? undefined : denied('NotAsked', `Only ${who} can answer.`, { who });
}

function mayApprove(
  run: ReleaseRun,
  step: PlanStep,
  { viewer, starters = [] }: Asker,
): ActionState | undefined {
  const isStarter = [run.startedBy, ...starters].includes(viewer?.ref);
  return isStarter && !ruleOf(step).selfApproval
    ? denied('SelfApproval', 'Who started the release cannot approve it.')
    : undefined;
}
