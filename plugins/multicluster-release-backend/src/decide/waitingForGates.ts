import { counted, type PlanStep, type Waiting } from 'backstage-plugin-multicluster-release-common';
import { agreed } from './approvals';
import { cause } from './cause';
import { goesBack } from './failure';
import { isHeld } from './held';
import { isGateSkipped } from './skips';
import { gateUntil } from './stage';
import { forwardPlan, gateSteps, type Turn } from './turn';
import type { StageRun } from './types';

/** What the gates of the current stage wait for: people, and time. */
export function gateCauses(turn: Turn): Waiting[] {
  const { run } = turn;
  const stage = forwardPlan(run).stages[run.stage];
  const stageRun = run.stages[run.stage];
  if (!stage || !stageRun || goesBack(run)) {
    return [];
  }
  return gateSteps(stage)
    .filter(({ id }) => !isGateSkipped(stageRun, id))
    .flatMap(step =>
      step.instruction === 'approve'
        ? approvalCause(turn, stageRun, step)
        : waitCause(turn, stageRun, step),
    );
}

function approvalCause(turn: Turn, { approvals = [] }: StageRun, step: PlanStep): Waiting[] {
  const question = approvals.find(({ stepId }) => stepId === step.id);
  if (!question || question.passedAt !== undefined || isHeld(turn)) {
    return [];
  }
  const { required = 1, from = [] } = step.approve ?? {};
  const n = required - agreed(turn.run, question).length;
  if (n <= 0) {
    return [];
  }
  const who = from.length > 0 ? from.join(', ') : 'whoever may approve';
  return [
    cause(
      'approval',
      question.askedAt,
      `Waiting for ${counted(n, 'more approval')} from ${who}`,
      { n, who, step: step.id, required },
      { who, until: question.expiresAt },
    ),
  ];
}

function waitCause(turn: Turn, stageRun: StageRun, { wait }: PlanStep): Waiting[] {
  const { gateAt, promotedBy, index } = stageRun;
  if (gateAt === undefined) {
    return [];
  }
  if (wait?.for === 'promotion' && !promotedBy) {
    return [promoteCause(turn, index, gateAt)];
  }
  const until = wait?.for === 'soak' ? gateUntil(turn, stageRun, wait.milliseconds) : 0;
  const { name } = forwardPlan(turn.run).stages[index];
  return until > turn.now
    ? [cause('soak', gateAt, `Observing ${name}`, { stage: name, time: until }, { until })]
    : [];
}

function promoteCause({ run }: Turn, index: number, since: number): Waiting {
  const next = forwardPlan(run).stages[index + 1]?.name ?? 'the end';
  return cause('promote', since, `Waiting for someone to promote to ${next}`, { stage: next });
}
