import type { MetricRule, PlanStage, PlanStep } from 'backstage-plugin-multicluster-release-common';
import type { ReleaseRun } from '../../decide';
import { forwardPlan } from '../../decide/turn';
import type { ReadingTaken } from '../SimulatedMeasurer';
import type { Facts, Target } from './facts';
import { violation } from './violation';

/** An answer that comes at the very end need not be looked at any more. */
const LOOKED_AT_AFTER_MILLISECONDS = 5_000;

interface Passed {
  stage: PlanStage;
  /** Steps that nobody has let go. */
  gates: PlanStep[];
  /** The first write of this attempt. */
  since: number;
}

/** The planned readings were good since the first write of this attempt. */
export function checkReadings(
  run: ReleaseRun,
  { key, cluster }: Target,
  { stage, gates, since }: Passed,
  facts: Facts,
): void {
  const good = readingsOf(run, cluster, facts).filter(
    ({ result, bad, at }) => result === 'value' && !bad && at >= since,
  ).length;
  for (const rule of gates.flatMap(({ metrics = [] }) => metrics)) {
    const need = neededOf(rule, pauseOf(stage));
    if (good < need) {
      violation(
        'no gate is passed by itself',
        `${stage.name} was passed with ${good} of ${need} good readings of ${key}`,
      );
    }
  }
}

function neededOf(rule: MetricRule, pause: number): number {
  const room = Math.floor((pause - rule.initialDelayMilliseconds) / rule.intervalMilliseconds);
  return Math.max(1, (rule.count ?? Math.max(1, room + 1)) - rule.failureLimit);
}

function pauseOf({ steps }: PlanStage): number {
  const pauses = steps.map(({ scope, wait }) =>
    scope === 'stage' && wait?.for === 'soak' ? wait.milliseconds : 0,
  );
  return Math.max(0, ...pauses);
}

function readingsOf(run: ReleaseRun, cluster: string, { readings }: Facts): ReadingTaken[] {
  return readings.filter(
    reading => reading.cluster === cluster && reading.version === run.targetVersion,
  );
}

/** What read badly at the end, again and again, was not taken for a success. */
export function checkGuards(run: ReleaseRun, facts: Facts): void {
  const until = (run.finishedAt ?? 0) - LOOKED_AT_AFTER_MILLISECONDS;
  if (run.state !== 'Succeeded') {
    return;
  }
  for (const stage of forwardPlan(run).stages) {
    const gates = stage.steps.filter(({ id }) => !facts.skipped.has(`${run.id}/${id}`));
    for (const rule of gates.flatMap(({ metrics = [] }) => metrics)) {
      for (const { key, cluster, state, writtenAt = 0 } of run.targets) {
        const inTime = readingsOf(run, cluster, facts).filter(
          ({ at }) => at >= writtenAt && at <= until,
        );
        const isWatched = state === 'Done' && stage.targets.includes(key);
        // One may have been asked by a replica that died before it could tell.
        if (isWatched && badAtTheEnd(inTime) > rule.failureLimit + 1) {
          violation('a guard answers', `${key} of ${run.id} read badly, and it succeeded`);
        }
      }
    }
  }
}

function badAtTheEnd(readings: ReadingTaken[]): number {
  const last = [...readings].reverse().findIndex(({ result, bad }) => result !== 'value' || !bad);
  return last < 0 ? readings.length : last;
}
