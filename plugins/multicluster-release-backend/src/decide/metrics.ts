import {
  neededReadings,
  plannedReadings,
  type MetricRule,
  type PlanStep,
} from 'backstage-plugin-multicluster-release-common';
import type { BaselineRequest } from 'backstage-plugin-multicluster-release-node';
import { failTarget, goesBack } from './failure';
import { judge, limitWords } from './judge';
import { isGateSkipped } from './skips';
import { watchedTargets } from './stage';
import { forwardPlan, gateSteps, scaled, wake, type Turn } from './turn';
import type {
  Measured,
  MeasurementToWrite,
  MeasureRequest,
  MetricRun,
  StageRun,
  TargetRun,
} from './types';

/**
 * Metric gates (design.md section 6). From the start of a stage's gate each of
 * its measurements is read on each target that the stage watches; after the
 * stage has passed the readings go on as guards until the release is final.
 * More bad readings than `failureLimit` are a failure of that target. Readings
 * that say nothing (no data, an error) are taken again; they never count as good.
 */
export function countReadings(turn: Turn): void {
  const measured = new Map(turn.inputs.measured?.map(each => [each.id, each]));
  for (const metric of watchedMetrics(turn)) {
    const { rule, target, stageRun } = metric;
    const metricRun = runOf(turn, metric);
    const reading = measured.get(measurementId(metric));
    if (reading?.since === metricRun.since) {
      count(metricRun, rule, reading);
      turn.measurements.push(record(metric, reading));
      const next = metricRun.nextAt + scaled(turn, rule.intervalMilliseconds);
      metricRun.nextAt = Math.max(next, turn.now);
    }
    if (isTooBad(metricRun, rule, stageRun)) {
      failTarget(turn, target, 'MetricFailed', whatIsBad(rule, metricRun));
    }
  }
}

/** Asks for the readings that are due; after the stages, so that a gate that has just begun is among them. */
export function askReadings(turn: Turn): void {
  for (const metric of watchedMetrics(turn)) {
    const metricRun = runOf(turn, metric);
    if (turn.inputs.measuring?.has(measurementId(metric))) {
      continue;
    }
    if (turn.now >= metricRun.nextAt) {
      turn.measure.push(request(turn, metric, metricRun));
    } else {
      wake(turn, metricRun.nextAt);
    }
  }
}

interface Metric {
  stageRun: StageRun;
  step: PlanStep;
  rule: MetricRule;
  target: TargetRun;
}

/** Of the current stage, once its gate runs, and of those behind it; none on the way back. */
function watchedMetrics(turn: Turn): Metric[] {
  const { run } = turn;
  if (goesBack(run)) {
    return [];
  }
  return forwardPlan(run)
    .stages.slice(0, run.stage + 1)
    .flatMap(stage => {
      const stageRun = run.stages[stage.index];
      const steps = gateSteps(stage).filter(
        ({ id, metrics }) => metrics !== undefined && !isGateSkipped(stageRun, id),
      );
      if (stageRun.gateAt === undefined || steps.length === 0) {
        return [];
      }
      const targets = watchedTargets(turn, stage);
      return steps.flatMap(step =>
        (step.metrics ?? []).flatMap(rule =>
          targets.map(target => ({ stageRun, step, rule, target })),
        ),
      );
    });
}

/** Its counters; they begin anew with the gate, and with each attempt of the target. */
function runOf(turn: Turn, { rule, target, stageRun }: Metric): MetricRun {
  const since = Math.max(stageRun.gateAt ?? turn.now, target.healthyAt ?? 0);
  const metrics = (stageRun.metrics ??= {});
  const key = metricKey(rule, target);
  const known = metrics[key];
  if (known?.since === since) {
    return known;
  }
  metrics[key] = {
    since,
    nextAt: since + scaled(turn, rule.initialDelayMilliseconds),
    good: 0,
    bad: 0,
    silent: 0,
    badInRow: 0,
    errorsInRow: 0,
  };
  return metrics[key];
}

function metricKey({ name }: MetricRule, { key }: TargetRun): string {
  return `${name}@${key}`;
}

function measurementId({ stageRun, step, rule, target }: Metric): string {
  return `${stageRun.index}/${step.id}/${metricKey(rule, target)}`;
}

function count(metricRun: MetricRun, rule: MetricRule, { reading, at }: Measured): void {
  const { result, message } = judge(rule, reading);
  metricRun.good += result === 'good' ? 1 : 0;
  metricRun.bad += result === 'bad' ? 1 : 0;
  metricRun.silent += result === 'noData' || result === 'error' ? 1 : 0;
  metricRun.badInRow = result === 'bad' ? metricRun.badInRow + 1 : 0;
  metricRun.errorsInRow = result === 'error' ? metricRun.errorsInRow + 1 : 0;
  metricRun.last = {
    at,
    result,
    ...('value' in reading ? { value: reading.value } : {}),
    ...(message === undefined ? {} : { message }),
  };
}

/** While its gate runs all bad readings count; of a guard, which may run for days, those in a row. */
function isTooBad(metricRun: MetricRun, rule: MetricRule, { finishedAt }: StageRun): boolean {
  const bad = finishedAt === undefined ? metricRun.bad : metricRun.badInRow;
  return bad > rule.failureLimit;
}

function whatIsBad(rule: MetricRule, { last, bad }: MetricRun): string {
  const { name, unit = '' } = rule;
  const why = last?.message ?? 'no data';
  const seen = last?.value === undefined ? why : `${last.value}${unit}`;
  const beside = last?.value !== undefined && last.message ? `; ${last.message}` : '';
  return `${name} is ${seen}, and must be ${limitWords(rule)}${beside} (${bad} bad)`;
}

function request(turn: Turn, metric: Metric, { since }: MetricRun): MeasureRequest {
  const { rule, target } = metric;
  const comparison = comparisonOf(turn, metric);
  return {
    id: measurementId(metric),
    since,
    key: target.key,
    cluster: target.cluster,
    namespace: target.namespace,
    name: rule.name,
    provider: rule.provider,
    version: turn.run.targetVersion,
    stableVersion: target.from?.version,
    windowMilliseconds: scaled(turn, rule.windowMilliseconds),
    ...(comparison === undefined ? {} : { comparison }),
  };
}

/** Before a stage that only watches there is the new version already: then it is before the stage that brought it. */
function comparisonOf({ run, now }: Turn, metric: Metric): BaselineRequest | undefined {
  const { rule, target, stageRun } = metric;
  if (rule.compare?.with !== 'before') {
    return rule.compare && { with: 'stable' };
  }
  const starts = [stageRun, run.stages[target.stage]].map(stage => stage?.startedAt ?? now);
  return { with: 'before', at: Math.min(...starts) };
}

function record({ stageRun, step, rule, target }: Metric, measured: Measured): MeasurementToWrite {
  const { reading, at } = measured;
  const { baseline } = reading;
  const { result, message } = judge(rule, reading);
  return {
    stage: stageRun.index,
    stepId: step.id,
    key: target.key,
    metric: rule.name,
    at,
    result,
    message,
    query: reading.query,
    ...('value' in reading ? { value: reading.value, samples: reading.samples } : {}),
    ...(baseline && { baselineQuery: baseline.query }),
    ...(baseline && 'value' in baseline ? { baseline: baseline.value } : {}),
  };
}

/** Where the measurements of a gate stand. */
export interface MetricProgress {
  stepId: string;
  rule: MetricRule;
  target: TargetRun;
  run?: MetricRun;
  /** Good readings that are needed. */
  need: number;
}

export function metricProgress(turn: Turn, stageRun: StageRun, step: PlanStep): MetricProgress[] {
  const stage = forwardPlan(turn.run).stages[stageRun.index];
  const targets = watchedTargets(turn, stage);
  const pause = pauseOf(turn, stageRun);
  return (step.metrics ?? []).flatMap(rule =>
    targets.map(target => ({
      stepId: step.id,
      rule,
      target,
      run: stageRun.metrics?.[metricKey(rule, target)],
      need: neededReadings(rule, pause),
    })),
  );
}

/** The gate's cool-down, unscaled; without one (or until a person promotes) one reading is enough. */
function pauseOf({ run }: Turn, { index }: StageRun): number {
  const waits = gateSteps(forwardPlan(run).stages[index]).flatMap(({ wait }) =>
    wait?.for === 'soak' ? wait.milliseconds : [],
  );
  return Math.max(0, ...waits);
}

/** Nothing but a person decides any more: readings have said too little for too long. */
export function isUndecided(turn: Turn, stageRun: StageRun, progress: MetricProgress): boolean {
  const { rule, run, need } = progress;
  const errors = (run?.errorsInRow ?? 0) > rule.consecutiveErrorLimit;
  return (
    (run?.good ?? 0) < need && (errors || turn.now >= metricDeadline(turn, stageRun, progress))
  );
}

export function metricsPass(turn: Turn, stageRun: StageRun, step: PlanStep): boolean {
  return metricProgress(turn, stageRun, step).every(({ run, need }) => (run?.good ?? 0) >= need);
}

/**
 * Until when readings that say nothing are taken again: one more cool-down, or
 * what the planned readings take. After it a person is asked.
 */
export function metricDeadline(turn: Turn, stageRun: StageRun, { rule }: MetricProgress): number {
  const pause = pauseOf(turn, stageRun);
  const readings = plannedReadings(rule, pause) - 1;
  const planned = rule.initialDelayMilliseconds + readings * rule.intervalMilliseconds;
  return (stageRun.gateAt ?? turn.now) + scaled(turn, 2 * Math.max(pause, planned));
}
