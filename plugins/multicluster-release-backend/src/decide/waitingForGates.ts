import { counted, type PlanStep, type Waiting } from 'backstage-plugin-multicluster-release-common';
import { agreed } from './approvals';
import { cause } from './cause';
import { goesBack } from './failure';
import { isHeld } from './held';
import { isUndecided, metricDeadline, metricProgress, type MetricProgress } from './metrics';
import { isGateSkipped } from './skips';
import { gateUntil } from './stage';
import { forwardPlan, gateSteps, wake, type Turn } from './turn';
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
        : [...metricCauses(turn, stageRun, step), ...waitCause(turn, stageRun, step)],
    );
}

/** What needs a person first, then what says nothing. */
function metricCauses(turn: Turn, stageRun: StageRun, step: PlanStep): Waiting[] {
  if (stageRun.gateAt === undefined) {
    return [];
  }
  const since = stageRun.gateAt;
  const open = metricProgress(turn, stageRun, step).filter(
    ({ run, need }) => (run?.good ?? 0) < need,
  );
  const causes = open.map(progress => metricCause(turn, stageRun, progress, since));
  const rank = ({ code }: Waiting) => ['metric.undecided', 'metric.nodata', 'metric'].indexOf(code);
  return causes.sort((a, b) => rank(a) - rank(b));
}

function metricCause(
  turn: Turn,
  stageRun: StageRun,
  progress: MetricProgress,
  since: number,
): Waiting {
  const { rule, target, run, need } = progress;
  const { name: metric } = rule;
  const { cluster } = target;
  const last = run?.last;
  const until = metricDeadline(turn, stageRun, progress);
  const says =
    last?.result === 'noData' || last?.result === 'error' ? last.message ?? 'no data' : '';
  if (isUndecided(turn, stageRun, progress)) {
    const why = says || `${run?.good ?? 0} of ${need} readings were good`;
    return cause(
      'metric.undecided',
      since,
      `${metric} on ${cluster} says too little (${why}): let the gate go, or roll back`,
      { metric, cluster, why, step: progress.stepId },
    );
  }
  wake(turn, until);
  return says
    ? cause(
        'metric.nodata',
        since,
        `No data for ${metric} on ${cluster} (${says}); readings go on`,
        { metric, cluster, why: says, time: until },
        { until },
      )
    : cause(
        'metric',
        since,
        `Checking ${metric} on ${cluster}: ${run?.good ?? 0} of ${need} readings were good`,
        {
          metric,
          cluster,
          done: run?.good ?? 0,
          need,
        },
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
