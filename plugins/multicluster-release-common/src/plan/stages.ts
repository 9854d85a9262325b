import { countOf } from './shares';
import type { SelectedTarget } from './selectTargets';
import type { MetricRule } from './metrics';
import type { ApprovalSpec, Pause, PolicySpec } from './spec';
import type { PlanStage, PlanStep, StageKind, WaitFor, WeightRule } from './types';

/** A stage before it is numbered: what the strategies produce. */
export interface StageDraft {
  name: string;
  kind: StageKind;
  targets: SelectedTarget[];
  /** The targets are brought to this weight only, beside what runs there. */
  weight?: WeightRule;
  /** Some of the targets had a weight before: what carried it goes, also where the policy prunes nothing. */
  clearsHelpers?: boolean;
  /** Cool-down of each target before the next takes its place; unscaled. */
  targetSoakMilliseconds?: number;
  /** Jobs that run on each target once it is healthy. */
  jobs?: Record<string, unknown>[];
  /** The stage's own wait after all its targets are healthy. */
  gate?: Pause;
  /** Measured on each target, own or of earlier stages, from the start of the gate. */
  metrics?: MetricRule[];
  approval?: ApprovalSpec;
  /** How many at once where the policy does not say; undefined: all. */
  defaultConcurrency?: number;
  /** Also with no targets of its own it watches those of earlier stages; otherwise an empty stage is skipped with its gates (C24). */
  watchesEarlier?: boolean;
}

type Unnumbered = Omit<PlanStep, 'id'>;

export function numberStages(drafts: StageDraft[], policy: PolicySpec): PlanStage[] {
  return drafts.map((draft, index) => ({
    index,
    name: draft.name,
    kind: draft.kind,
    targets: draft.targets.map(target => target.key),
    concurrency: concurrencyOf(draft, policy),
    timeoutMilliseconds: policy.timeoutMilliseconds,
    steps: stepsOf(named(draft, index), policy).map((step, position) => ({
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

function stepsOf(draft: StageDraft, policy: PolicySpec): Unnumbered[] {
  if (draft.targets.length === 0 && !draft.watchesEarlier) {
    return [];
  }
  const { approval, gate, metrics = [] } = draft;
  const before = approval?.when === 'before' ? [approveStep(approval)] : [];
  const after = approval?.when === 'after' ? [approveStep(approval)] : [];
  return [
    ...before,
    ...(draft.targets.length > 0 ? trackOf(draft, policy) : []),
    ...(gate ? [waitStep('stage', gateWait(gate))] : []),
    ...(metrics.length > 0 ? [analyseStep(metrics)] : []),
    ...after,
  ];
}

/**
 * What each target walks. What a Job or a weight leaves behind goes also where the
 * policy prunes nothing else, but not before the target is in full.
 */
function trackOf(draft: StageDraft, policy: PolicySpec): Unnumbered[] {
  const { jobs = [], targetSoakMilliseconds: soak, weight } = draft;
  const steps: Unnumbered[] = [...bringSteps(weight), waitStep('target', { for: 'healthy' })];
  if (jobs.length > 0) {
    const limited = jobs.map(job => withDeadline(job, policy.timeoutMilliseconds));
    steps.push({ instruction: 'analyse', scope: 'target', jobs: limited });
  }
  if (!weight && (policy.prune || jobs.length > 0 || draft.clearsHelpers)) {
    steps.push({ instruction: 'remove', scope: 'target' });
  }
  if (soak) {
    steps.push(waitStep('target', { for: 'soak', milliseconds: soak }));
  }
  return steps;
}

function bringSteps(weight: WeightRule | undefined): Unnumbered[] {
  return weight
    ? [
        { instruction: 'check', scope: 'target', weight },
        { instruction: 'weight', scope: 'target', weight },
      ]
    : [
        { instruction: 'check', scope: 'target' },
        { instruction: 'apply', scope: 'target' },
      ];
}

/** A target that comes by in several stages runs the Jobs of each: what one has passed is no evidence for the next. */
function named(draft: StageDraft, index: number): StageDraft {
  const jobs = draft.jobs?.map(job => {
    const metadata = (job.metadata ?? {}) as Record<string, unknown>;
    return { ...job, metadata: { ...metadata, name: `${String(metadata.name)}-${index + 1}` } };
  });
  return jobs ? { ...draft, jobs } : draft;
}

/** A Job that says no deadline of its own has that of its cluster, or it could hold the stage for ever. */
function withDeadline(
  job: Record<string, unknown>,
  timeoutMilliseconds: number,
): Record<string, unknown> {
  const spec = (job.spec ?? {}) as Record<string, unknown>;
  const activeDeadlineSeconds = spec.activeDeadlineSeconds ?? Math.ceil(timeoutMilliseconds / 1000);
  return { ...job, spec: { ...spec, activeDeadlineSeconds } };
}

function analyseStep(metrics: MetricRule[]): Unnumbered {
  return { instruction: 'analyse', scope: 'stage', metrics };
}

function approveStep({ when, ...approve }: ApprovalSpec): Unnumbered {
  return { instruction: 'approve', scope: 'stage', when, approve };
}

function gateWait(gate: Pause): WaitFor {
  return gate === 'promotion'
    ? { for: 'promotion' }
    : { for: 'soak', milliseconds: gate.milliseconds };
}

function waitStep(scope: PlanStep['scope'], wait: WaitFor): Unnumbered {
  return { instruction: 'wait', scope, wait };
}
