import {
  counted,
  type PlanStage,
  type PlanStep,
} from 'backstage-plugin-multicluster-release-common';
import { isGateSkipped } from './skips';
import { forwardPlan, gateSteps, releaseEvent, wake, type Turn } from './turn';
import type { ApprovalRun, ReleaseRun, StageRun, Vote } from './types';

/** What people are asked before the first cluster of the stage; nothing where it has none. */
export function questionsBefore(stage: PlanStage): PlanStep[] {
  return gateSteps(stage).filter(
    ({ instruction, when }) => instruction === 'approve' && when === 'before',
  );
}

/** Asks where nobody was asked yet, and says whether enough people have agreed to this very plan. */
export function approvalPasses(turn: Turn, stageRun: StageRun, step: PlanStep): boolean {
  if (isGateSkipped(stageRun, step.id)) {
    return true;
  }
  const question = openQuestion(turn, stageRun, step);
  if (question.passedAt !== undefined) {
    return true;
  }
  if (agreed(turn.run, question).length < (step.approve?.required ?? 1)) {
    if (question.expiresAt !== undefined) {
      wake(turn, question.expiresAt);
    }
    return false;
  }
  question.passedAt = turn.now;
  tell(turn, stageRun, 'ApprovalPassed', 'enough people have approved');
  return true;
}

/** Votes that count: of different people, for the plan as it is. */
export function agreed(run: ReleaseRun, { votes }: ApprovalRun): Vote[] {
  const { hash } = forwardPlan(run);
  const people = new Map(votes.filter(({ planHash }) => planHash === hash).map(v => [v.by, v]));
  return [...people.values()];
}

function openQuestion(turn: Turn, stageRun: StageRun, step: PlanStep): ApprovalRun {
  stageRun.approvals ??= [];
  const known = stageRun.approvals.find(({ stepId }) => stepId === step.id);
  if (known) {
    askAgain(turn, stageRun, step, known);
    return known;
  }
  const asked: ApprovalRun = {
    stepId: step.id,
    askedAt: turn.now,
    expiresAt: expiry(turn, step),
    votes: [],
  };
  stageRun.approvals.push(asked);
  tell(
    turn,
    stageRun,
    'ApprovalAsked',
    `waits for ${counted(step.approve?.required ?? 1, 'approval')}`,
  );
  return asked;
}

/** What was answered long ago says nothing about today. */
function askAgain(turn: Turn, stageRun: StageRun, step: PlanStep, known: ApprovalRun): void {
  if (known.passedAt !== undefined || turn.now < (known.expiresAt ?? Number.POSITIVE_INFINITY)) {
    return;
  }
  known.votes = [];
  known.askedAt = turn.now;
  known.expiresAt = expiry(turn, step);
  tell(turn, stageRun, 'ApprovalExpired', 'the approvals have expired; it is asked anew');
}

function expiry(turn: Turn, { approve }: PlanStep): number | undefined {
  return approve?.expiresMilliseconds === undefined
    ? undefined
    : turn.now + approve.expiresMilliseconds;
}

function tell(turn: Turn, { index }: StageRun, code: string, message: string): void {
  const stage = forwardPlan(turn.run).stages[index];
  releaseEvent(turn, code, `stage ${index + 1} (${stage.name}): ${message}`, {
    kind: 'stage',
    stage: index,
    params: { stage: stage.name },
  });
}
