import type {
  ActionName,
  ApprovalRule,
  PlanStep,
} from 'backstage-plugin-multicluster-release-common';
import type { ReleaseRun } from '../../decide';
import { forwardPlan } from '../../decide/turn';
import { GROUPS, MACHINE, PLATFORM } from '../persons';
import { violation } from './violation';

/** Whether a list of users and groups means this one; an empty list means all people, and no machine. */
export function isAsked(by: string, from: string[] = []): boolean {
  return from.length === 0
    ? by !== MACHINE
    : from.some(ref => ref === by || GROUPS[by]?.includes(ref));
}

export interface Answer {
  action: ActionName;
  by: string;
  before: ReleaseRun;
  after: ReleaseRun;
}

/** Only who is asked says yes or no, or lets a question go; asked after every order that changed something. */
export function checkAnswer({ action, by, before, after }: Answer): void {
  const steps = forwardPlan(before).stages.flatMap(stage => stage.steps);
  const find = (id: string) => steps.find(step => step.id === id);
  const answered = { approve: newVotes, 'skip-gate': newSkips, reject: askedSoFar } as const;
  const idsAnswered = answered[action as keyof typeof answered];
  const questions = (idsAnswered?.(before, after) ?? [])
    .flatMap(id => find(id) ?? [])
    .filter(({ instruction }) => instruction === 'approve');
  const mayBe = questions.filter(step =>
    mayAnswer(step, { action, by, starter: before.startedBy }),
  );
  const isEnough = action === 'reject' ? mayBe.length > 0 : mayBe.length === questions.length;
  if (questions.length > 0 && !isEnough) {
    const lists = questions.map(step => `${step.id} of ${step.approve?.from}`).join('; ');
    violation('only who is asked answers', `${by} gave ${action} on ${before.id}: ${lists}`);
  }
}

function mayAnswer(
  { approve = { required: 1, from: [], selfApproval: false } }: { approve?: ApprovalRule },
  { action, by, starter }: { action: ActionName; by: string; starter: string | undefined },
): boolean {
  if (action === 'skip-gate' && by === PLATFORM) {
    return true;
  }
  const isOwn = action !== 'reject' && by === starter && !approve.selfApproval;
  return isAsked(by, approve.from) && !isOwn;
}

/** Ids of the steps that got another vote. */
function newVotes(before: ReleaseRun, after: ReleaseRun): string[] {
  const count = ({ stages }: ReleaseRun, id: string) =>
    stages.flatMap(({ approvals = [] }) => approvals).find(({ stepId }) => stepId === id)?.votes
      .length ?? 0;
  return idsOf(after).filter(id => count(after, id) > count(before, id));
}

function newSkips(before: ReleaseRun, after: ReleaseRun): PlanStep['id'][] {
  const skips = ({ stages }: ReleaseRun) => stages.flatMap(({ skipped = [] }) => skipped);
  return skips(after)
    .slice(skips(before).length)
    .map(({ stepId }) => stepId);
}

function askedSoFar(before: ReleaseRun): string[] {
  return idsOf(before);
}

function idsOf({ stages }: ReleaseRun): string[] {
  return stages.flatMap(({ approvals = [] }) => approvals).map(({ stepId }) => stepId);
}
