import { countOf } from './shares';
import type { SelectedTarget } from './selectTargets';
import type { Pause, PolicySpec } from './spec';
import type { PlanStage, PlanStep, StageKind, WaitFor } from './types';

/** A stage before it is numbered: what the strategies produce. */
export interface StageDraft {
  name: string;
  kind: StageKind;
  targets: SelectedTarget[];
  /** Cool-down of each target before the next takes its place; unscaled. */
  targetSoakMilliseconds?: number;
  /** The stage's own wait after all its targets are healthy. */
  gate?: Pause;
  /** How many at once where the policy does not say; undefined: all. */
  defaultConcurrency?: number;
  /** Also with no targets of its own it watches those of earlier stages; otherwise an empty stage is skipped with its gate (C24). */
  watchesEarlier?: boolean;
}

export function numberStages(drafts: StageDraft[], policy: PolicySpec): PlanStage[] {
  return drafts.map((draft, index) => ({
    index,
    name: draft.name,
    kind: draft.kind,
    targets: draft.targets.map(target => target.key),
    concurrency: concurrencyOf(draft, policy),
    timeoutMilliseconds: policy.timeoutMilliseconds,
    steps: stepsOf(draft, policy).map((step, position) => ({
      ...step,
      id: `${index}.${position}`,
    })),
  }));
}

/** Per cents are of the clusters of this stage. */
function concurrencyOf(draft: StageDraft, policy: PolicySpec): number {
  const total = draft.targets.length;
  const wanted = policy.maxConcurrency
    ? countOf(policy.maxConcurrency, total)
    : draft.defaultConcurrency ?? total;
  return Math.min(total, Math.max(wanted, total > 0 ? 1 : 0));
}

function stepsOf(draft: StageDraft, policy: PolicySpec): Omit<PlanStep, 'id'>[] {
  const steps: Omit<PlanStep, 'id'>[] = [];
  if (draft.targets.length > 0) {
    steps.push({ instruction: 'check', scope: 'target' });
    steps.push({ instruction: 'apply', scope: 'target' });
    steps.push({ instruction: 'wait', scope: 'target', wait: { for: 'healthy' } });
    if (policy.prune) {
      steps.push({ instruction: 'remove', scope: 'target' });
    }
    if (draft.targetSoakMilliseconds) {
      steps.push(waitStep('target', { for: 'soak', milliseconds: draft.targetSoakMilliseconds }));
    }
  }
  if (draft.gate && (draft.targets.length > 0 || draft.watchesEarlier)) {
    steps.push(waitStep('stage', gateWait(draft.gate)));
  }
  return steps;
}

function gateWait(gate: Pause): WaitFor {
  return gate === 'promotion'
    ? { for: 'promotion' }
    : { for: 'soak', milliseconds: gate.milliseconds };
}

function waitStep(scope: PlanStep['scope'], wait: WaitFor): Omit<PlanStep, 'id'> {
  return { instruction: 'wait', scope, wait };
}
