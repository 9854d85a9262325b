import type { PlanStep } from 'backstage-plugin-multicluster-release-common';
import { forwardPlan } from '../../../decide/turn';
import type { ApprovalRun, ReleaseRun } from '../../../decide/types';
import type { Refusal } from '../../errors';
import { askedSteps } from '../approving';
import type { Order } from '../changes';
import { openQuestions } from '../gates';

/** Adds a vote; whether it is enough is decided at the next turn. */
export function approve(run: ReleaseRun, { by, now, request }: Order): Refusal | undefined {
  const { hash } = forwardPlan(run);
  if (request.planHash !== hash) {
    return {
      code: 'PlanChanged',
      message: 'The plan is not the one that you looked at. Look at it before you approve it.',
      params: { hash },
    };
  }
  const open = openQuestions(run);
  const chosen = open.filter(({ step }) => request.gate === undefined || step.id === request.gate);
  if (chosen.length !== 1) {
    const gates = open.map(({ step }) => step.id).join(', ');
    return {
      code: 'NotAllowed',
      message: `Say which question: ${gates} is open.`,
      params: { action: 'approve', gates },
    };
  }
  addVote(chosen[0], { by, at: now, reason: request.reason, planHash: hash });
  return undefined;
}

function addVote({ question }: { step: PlanStep; question: ApprovalRun }, vote: Vote): void {
  question.votes = [
    ...question.votes.filter(({ by, planHash }) => by !== vote.by || planHash !== vote.planHash),
    vote,
  ];
}

type Vote = ApprovalRun['votes'][number];

/**
 * A no to what was asked. It is answered like a failure of the stage: by what
 * the policy says of failures, and where that would go on, by a pause.
 */
export function reject(
  run: ReleaseRun,
  { by, now, request }: Order,
): Refusal | 'nothing' | undefined {
  const reason = `rejected by ${by}${request.reason ? `: ${request.reason}` : ''}`;
  const { gate } = request;
  if (gate !== undefined && !askedSteps(run).some(({ id }) => id === gate)) {
    return {
      code: 'NotAllowed',
      message: `Nobody was asked about ${gate}.`,
      params: { action: 'reject', gate },
    };
  }
  switch (forwardPlan(run).rules.onFailure) {
    case 'RollbackTouched':
      run.rollback = { by, since: now, reason, scope: 'touched' };
      break;
    case 'RollbackStage':
      run.rollback = { by, since: now, reason, scope: 'stage' };
      break;
    default:
      if (run.paused?.reason === reason) {
        return 'nothing';
      }
      run.paused = { by, since: now, reason };
  }
  return undefined;
}
