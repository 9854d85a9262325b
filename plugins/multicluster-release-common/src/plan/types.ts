/*
 * The plan: what strategies compile to and what the executor runs.
 *
 * A plan is immutable, numbered and hashed. It consists of *stages* (what the
 * document calls a step, a batch or the promotion; what people and gates speak
 * of), and each stage of *steps*: one instruction each. Steps of scope `target`
 * form the track that every target of the stage walks on its own, bounded by the
 * stage's concurrency; steps of scope `stage` come after all targets have walked
 * it (the stage's gate).
 */

import type { MetricRule } from './metrics';

/** `cluster/namespace`: names one target of a service. Neither part can contain a slash. */
export type TargetKey = string;

export interface TargetRef {
  cluster: string;
  namespace: string;
}

/** The instruction set of design.md section 1. Later issues fill the ones that are not compiled to yet. */
export type Instruction =
  | 'check'
  | 'apply'
  | 'weight'
  | 'route'
  | 'wait'
  | 'analyse'
  | 'approve'
  | 'sync'
  | 'handover'
  | 'remove';

/** What a `wait` waits for. */
export type WaitFor =
  | { for: 'healthy' }
  /** Cool-down in milliseconds, unscaled; starts when the new version is healthy there. */
  | { for: 'soak'; milliseconds: number }
  /** Until a person promotes. */
  | { for: 'promotion' };

/** Who must agree before a stage starts, or before it is passed. */
export interface ApprovalRule {
  /** How many different people. */
  required: number;
  /** Entity refs of the users and groups who may; empty: whoever may promote. */
  from: string[];
  /** Whether who started the release counts too. */
  selfApproval: boolean;
  /** How long the question stands before it is asked anew; unscaled. */
  expiresMilliseconds?: number;
}

/** How much of a cluster's own traffic the new version gets. */
export interface WeightRule {
  percent: number;
  /** The nearest that can be reached is good enough. */
  approximate: boolean;
}

export interface PlanStep {
  /** `<stage>.<position>`, for example `0.2`; unique in its plan. */
  id: string;
  instruction: Instruction;
  scope: 'target' | 'stage';
  /** Of a stage's own step: before its first target starts, or (default) after all have walked. */
  when?: 'before' | 'after';
  wait?: WaitFor;
  /** Of `approve`. */
  approve?: ApprovalRule;
  /** Of `weight`, and of the `check` before it: 1–99. */
  weight?: WeightRule;
  /** Of `analyse`: manifests of Jobs that run on the target, in its namespace, and must end well. */
  jobs?: Record<string, unknown>[];
  /** Of a stage's `analyse`: what must be good on each of its targets while its cool-down runs. */
  metrics?: MetricRule[];
}

/** When clusters may be started. Inside of a `deny`, or outside of every `allow` where there is one, none is. */
export interface WindowSpec {
  /** Five fields; when it opens. */
  cron: string;
  durationMilliseconds: number;
  /** IANA name; `UTC` where the document has none. */
  timeZone: string;
  kind: 'allow' | 'deny';
  /** What people call it; of a platform window. */
  name?: string;
}

/** Another service that must run before a target starts. */
export interface Dependency {
  /** Entity ref. */
  service: string;
  /** SemVer range; undefined: any version. */
  version?: string;
  /** On the target's own cluster, on every cluster where that service runs, or on these. */
  on: 'same' | 'all' | string[];
}

export type StageKind = 'step' | 'batch' | 'serial' | 'all' | 'promotion' | 'rollback';

/**
 * A target may be in several stages: in part where they have a `weight` step, and
 * in full in the last of them, its final place.
 */
export interface PlanStage {
  index: number;
  /** What a person reads: the group's name, the cluster's name, `30%`, `batch 2`, `promotion`. */
  name: string;
  kind: StageKind;
  /** In the order in which they are started. */
  targets: TargetKey[];
  /** How many targets may be in flight at once. At least 1 where there are targets. */
  concurrency: number;
  /** One target, from its first write to healthy; milliseconds, unscaled. */
  timeoutMilliseconds: number;
  steps: PlanStep[];
}

/** A version's identity on one target. */
export interface ContentRef {
  /** SHA-256 (hex) of the canonical JSON of the rendered objects. */
  digest: string;
  /** The release's `targetVersion` that this content came from. */
  version: string;
  configVersion?: string;
}

export interface PlanTarget extends TargetRef {
  key: TargetKey;
  group?: string;
  /** What our record says runs there; undefined before the first managed release. */
  from?: ContentRef;
  /** What shall run there; undefined in a rollback plan where nothing ran before (then our objects are removed). */
  to?: ContentRef;
  /** Positions of the template's overrides that reach it; undefined in a way back. */
  overrides?: number[];
  /** The content is recorded as running there already: nothing is written, state `Unchanged`. */
  unchanged: boolean;
}

export type FailureCause = 'HealthFailed' | 'MetricFailed' | 'Timeout';

export type OnFailure =
  | 'RollbackTouched'
  | 'RollbackStage'
  | 'RollbackFailedOnly'
  | 'Pause'
  | 'Continue';

export type OfflinePolicy = {
  policy: 'Wait' | 'Skip' | 'Fail';
  /** Unreachable for so long is offline; milliseconds, unscaled. */
  afterMilliseconds: number;
};

/** Everything that the executor needs to know about how to act, resolved from strategy and policy. */
export interface PlanRules {
  /** This many failed clusters are put back alone and the release goes on. */
  maxFailures: number;
  onFailure: OnFailure;
  retries: number;
  rollbackOn: FailureCause[];
  offline: OfflinePolicy;
  prune: boolean;
  /** Kinds that may be pruned only because the template names them. */
  pruneAlso: string[];
  onNewer: 'Queue' | 'Supersede';
  /* What follows is missing in plans of before it was built: then it bounds nothing. */
  joining?: 'NextRelease' | 'CatchUp';
  /** Clusters that our action may make unavailable at once. */
  maxUnavailable?: number;
  /** Of policy and strategy; windows of the platform are not part of a plan. */
  windows?: WindowSpec[];
  dependsOn?: Dependency[];
  /** Of a removal: who ordered it said that the service may run nowhere afterwards. */
  last?: boolean;
}

export interface Plan {
  /** Version of this format; raised when an older executor could not run it. */
  format: 1;
  /** 1 is the plan that was started; rollbacks and recompilations count up. */
  number: number;
  /** `sha256:…` over spec, ordered targets with group and from-version, and content digests (design.md section 1). */
  hash: string;
  kind: 'forward' | 'rollback';
  service: string;
  targetVersion: string;
  targets: PlanTarget[];
  stages: PlanStage[];
  rules: PlanRules;
}

export function targetKey(ref: TargetRef): TargetKey {
  return `${ref.cluster}/${ref.namespace}`;
}
