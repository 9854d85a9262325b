import type {
  Plan,
  PlanStage,
  PlanStep,
  TargetKey,
} from 'backstage-plugin-multicluster-release-common';
import type { TargetObservation } from 'backstage-plugin-multicluster-release-node';
import type {
  DecideSettings,
  HoldRequest,
  Inputs,
  MeasurementToWrite,
  MeasureRequest,
  PhaseName,
  ReleaseRun,
  RunEvent,
  TargetRun,
} from './types';

/**
 * One turn of decide: the draft of the run, what came in, and what goes out.
 * Everything in decide/ takes the turn first and changes only `run`, `events`,
 * `measure`, `measurements`, `hold` and `wakeAt`.
 */
export interface Turn {
  run: ReleaseRun;
  readonly inputs: Inputs;
  readonly now: number;
  readonly settings: DecideSettings;
  readonly observations: ReadonlyMap<TargetKey, TargetObservation>;
  events: RunEvent[];
  measure: MeasureRequest[];
  measurements: MeasurementToWrite[];
  hold?: HoldRequest;
  wakeAt?: number;
  /** Clusters wait because as many are unavailable as may be. */
  heldByBound?: { used: number; max: number };
}

/** Asks to be decided again at this time, if nothing happens before. */
export function wake(turn: Turn, at: number): void {
  turn.wakeAt = Math.min(turn.wakeAt ?? Number.POSITIVE_INFINITY, at);
}

/** The plan that leads to the target version: the newest of the first one's kind (a queued release may be compiled again). */
export function forwardPlan(run: ReleaseRun): Plan {
  return run.plans.filter(plan => plan.kind === run.plans[0].kind).at(-1) ?? run.plans[0];
}

export function planOf(run: ReleaseRun, target: TargetRun): Plan {
  const plan = run.plans.find(({ number }) => number === target.plan);
  if (!plan) {
    throw new Error(
      `Release ${run.id}: target ${target.key} follows plan ${target.plan}, which is not stored`,
    );
  }
  return plan;
}

/** A target that is being put back by a rollback plan of this release. */
export function isPutBack(run: ReleaseRun, target: TargetRun): boolean {
  return planOf(run, target).kind === 'rollback' && run.plans[0].kind === 'forward';
}

export function stageOf(run: ReleaseRun, target: TargetRun): PlanStage {
  return planOf(run, target).stages[target.stage];
}

/** The steps that every target of a stage walks. */
export function track(stage: PlanStage): PlanStep[] {
  return stage.steps.filter(step => step.scope === 'target');
}

export function gateSteps(stage: PlanStage): PlanStep[] {
  return stage.steps.filter(step => step.scope === 'stage');
}

export function currentStep(run: ReleaseRun, target: TargetRun): PlanStep | undefined {
  return track(stageOf(run, target))[target.position];
}

export function stageTargets(run: ReleaseRun, stage: PlanStage): TargetRun[] {
  const byKey = new Map(run.targets.map(target => [target.key, target]));
  return stage.targets.flatMap(key => byKey.get(key) ?? []);
}

/** Its stage brings it to a weight only, beside what ran before. */
export function isWeighted(run: ReleaseRun, target: TargetRun): boolean {
  return (
    !isPutBack(run, target) &&
    track(stageOf(run, target)).some(({ instruction }) => instruction === 'weight')
  );
}

/** Has its weight, and waits there for the stage that brings it to more. */
export function isResting(run: ReleaseRun, target: TargetRun): boolean {
  return (
    target.state === 'Soaking' && currentStep(run, target) === undefined && isWeighted(run, target)
  );
}

export function beginPhase(turn: Turn, target: TargetRun, name: PhaseName): void {
  const open = target.phases.find(phase => phase.to === undefined);
  if (open?.name === name) {
    return;
  }
  endPhase(turn, target);
  target.phases.push({ name, from: turn.now });
}

export function endPhase(turn: Turn, target: TargetRun): void {
  for (const phase of target.phases) {
    phase.to ??= turn.now;
  }
}

export function targetEvent(
  turn: Turn,
  target: TargetRun,
  code: string,
  message: string,
  actor = 'system',
): void {
  turn.events.push({
    kind: 'target',
    code,
    params: { cluster: target.cluster, namespace: target.namespace },
    message: `${target.cluster}/${target.namespace}: ${message}`,
    actor,
    key: target.key,
    stage: target.stage,
  });
}

export function releaseEvent(
  turn: Turn,
  code: string,
  message: string,
  extra: Partial<Pick<RunEvent, 'actor' | 'reason' | 'params' | 'kind' | 'stage'>> = {},
): void {
  turn.events.push({ kind: 'release', params: {}, actor: 'system', ...extra, code, message });
}

/** Pauses, soaks and stabilize are scaled; time-outs never are (example.md). */
export function scaled(turn: Turn, milliseconds: number): number {
  return Math.round(milliseconds * turn.settings.timeScale);
}
