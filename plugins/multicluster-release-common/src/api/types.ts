/*
 * What travels over HTTP (api.md). Times are epoch milliseconds unless a field
 * says otherwise; texts for people are a code, parameters and English.
 */
import type { ReadingResult } from '../plan/metrics';
import type { Plan, TargetRef } from '../plan/types';
import type { Finding } from '../status/findings';
import type { CordonView } from './fleet';
import type { ReleaseState, TargetHealth, TargetState, Waiting } from '../status/states';

export const ACTIONS = [
  'promote',
  'pause',
  'resume',
  'abort',
  'rollback',
  'retry',
  'skip-cluster',
  'skip-wait',
  'skip-gate',
  'approve',
  'reject',
  'accept',
] as const;

/** Actions of this version; the others of api.md answer `NotBuiltYet`. */
export type ActionName = (typeof ACTIONS)[number];

/** Why an action is not allowed; a page has a text for each. */
export const ACTION_REASONS = [
  'NotAllowed',
  'Final',
  'RollingBack',
  'Stopping',
  'Superseded',
  'Observing',
  'AwaitsApproval',
  'NothingToPromote',
  'AlreadyPaused',
  'NotPaused',
  'IsRollback',
  'IsRemoval',
  'RolledBackAlready',
  'NothingToRollBack',
  'NothingFailed',
  'NothingToSkip',
  'NothingToAccept',
  'NothingToApprove',
  'NothingToReject',
  'ApprovedAlready',
  'NotAsked',
  'SelfApproval',
] as const;

export type ActionReason = (typeof ACTION_REASONS)[number];

export interface ActionState {
  allowed: boolean;
  /** One of `ACTION_REASONS`, or of a server that is newer. */
  reasonCode?: string;
  params?: Record<string, string | number>;
  message?: string;
  expectedStage?: number;
}

export interface ActionRequest {
  expectedStage?: number;
  /** Id of the step that approve, reject and skip-gate mean; needed where the stage has several. */
  gate?: string;
  reason?: string;
  targets?: TargetRef[];
  planHash?: string;
  /** accept: stands for the blocked clusters that were seen, from `actions.accept.params`. */
  risksHash?: string;
  toVersion?: string;
  /** promote: to the end instead of one stage. */
  full?: boolean;
  /** rollback to a version that is on hold: release the hold, too. */
  releaseHold?: boolean;
}

export interface VersionRef {
  version: string;
  configVersion?: string;
  digest: string;
}

export interface ReleaseCounts {
  total: number;
  done: number;
  running: number;
  failed: number;
  pending: number;
  rolledBack: number;
}

/** A question to people, and who has answered. */
export interface ApprovalView {
  /** Id of its step: what `gate` names in an order. */
  gate: string;
  when: 'before' | 'after';
  required: number;
  /** Entity refs of users and groups; empty: whoever may promote. */
  from: string[];
  selfApproval: boolean;
  /** Undefined: not asked yet. */
  askedAt?: number;
  expiresAt?: number;
  passedAt?: number;
  /** Those that count: for the plan as it is. */
  votes: { by: string; at: number; reason?: string }[];
  skipped?: { by: string; at: number; reason?: string };
}

/** An open question, for the list of approvals. */
export interface OpenApproval extends ApprovalView {
  releaseId: string;
  service: string;
  targetVersion: string;
  stage: { index: number; name: string; kind: string };
  planHash: string;
  /** Whether this viewer may answer. */
  mine: boolean;
}

export interface StageView {
  index: number;
  name: string;
  /** Names of stages of the kinds `promotion` and `rollback` are given by the server, those of others come from documents. */
  kind: string;
  /** Names of its first clusters in the order in which they start, at most 8; `total` counts all. */
  clusters: string[];
  state: 'pending' | 'running' | 'waiting' | 'done' | 'failed' | 'rolledBack' | 'skipped';
  done: number;
  total: number;
  failed: number;
  gates: Waiting[];
  approvals?: ApprovalView[];
  startedAt?: number;
  finishedAt?: number;
  pauseMilliseconds?: number;
  untilPromoted?: boolean;
}

export interface ReleaseView {
  id: string;
  service: string;
  strategy: string;
  targetVersion: string;
  fromVersions: string[];
  state: ReleaseState;
  health: TargetHealth['state'];
  /** Ordered: the blocking one first. Empty only when final. */
  waiting: Waiting[];
  stage?: { index: number; name: string; kind: string; total: number };
  counts: ReleaseCounts;
  plan: { hash: string; number: number };
  rolledBackFrom?: string;
  rolledBackBy?: string;
  startedBy: string;
  onBehalfOf?: string;
  link?: string;
  reason?: string;
  createdAt: number;
  finishedAt?: number;
  revision: number;
  /** The backend's `development.timeScale`, where it is not 1. */
  timeScale?: number;
  actions: Record<ActionName, ActionState>;
}

export interface PhaseView {
  name: 'check' | 'apply' | 'ready' | 'analyse' | 'remove' | 'soak' | 'rollback';
  from: number;
  to?: number;
}

export interface TargetView extends TargetRef {
  group?: string;
  /** Of the plan that leads forward, also on the way back; undefined where that plan leaves the cluster out. */
  stage?: number;
  region?: string;
  labels: Record<string, string>;
  state: TargetState;
  /** The release wrote there, and a rollback of it reaches the cluster. */
  canGoBack: boolean;
  health: TargetHealth;
  /** What ran there when the release started; undefined: nothing of ours. */
  from?: VersionRef;
  /** What the plan that it follows brings, or puts back, there; undefined: nothing of ours. */
  to?: VersionRef;
  /** Per cent of the release's own version. */
  weight: { wanted: number; observed?: number };
  configVersion: { wanted?: string; observed?: string; offset?: number };
  phases: PhaseView[];
  waiting?: Waiting;
  message?: string;
  reportedAt?: number;
}

/** One reading of a metric gate, with the query as it was sent. */
export interface MeasurementView extends TargetRef {
  id: number;
  stage: number;
  /** Id of the step. */
  gate: string;
  metric: string;
  at: number;
  result: ReadingResult;
  value?: number;
  /** Requests in the window. */
  samples?: number;
  message?: string;
  query: string;
  /** What the value was compared with, where that could be read. */
  baseline?: number;
  /** As it was sent. */
  baselineQuery?: string;
}

export interface EventView {
  id: number;
  at: number;
  releaseId?: string;
  kind: string;
  code: string;
  params: Record<string, string | number>;
  message: string;
  actor: string;
  reason?: string;
  cluster?: string;
  namespace?: string;
  stage?: number;
}

export type ChangeKind = 'created' | 'configured' | 'unchanged' | 'deleted' | 'replaceNeeded';

/** One changed field. Secret values never travel: they read `value changed`. */
export interface FieldChange {
  pointer: string;
  kind: 'added' | 'removed' | 'changed';
  before?: unknown;
  after?: unknown;
}

export interface ObjectChange {
  apiVersion: string;
  kind: string;
  namespace?: string;
  name: string;
  change: ChangeKind;
  fields: FieldChange[];
  /** `NotFullyChecked` and why, where the API server could not be asked. */
  notFullyChecked?: string;
}

/** Targets whose change is the same. */
export interface DiffClass {
  targets: TargetRef[];
  changes: ObjectChange[];
}

export interface PreviewView {
  /** Undefined where a finding is an error that leaves nothing to plan. */
  plan?: Plan;
  findings: Finding[];
  diff: DiffClass[];
  excluded: { cluster: string; rule: string }[];
}

/** What taking a service off a cluster would do, by our record. */
export interface RemovalView {
  targets: TargetRef[];
  /** Objects that we made, and that go. */
  changes: ObjectChange[];
  /** Objects that stay, with why. */
  kept: { apiVersion: string; kind: string; namespace?: string; name: string; why: string }[];
  findings: Finding[];
}

export interface RunningVersion extends TargetRef {
  service: string;
  version?: string;
  configVersion?: string;
  /** Sequence numbers; offset is wanted minus observed. */
  wanted?: number;
  observed?: number;
  offset?: number;
  health: TargetHealth;
  /** `ok`, or why nothing is known; never shown as zero. */
  clusterState: ClusterState;
  since?: number;
  reportedAt?: number;
  message?: string;
}

export type ClusterState =
  | 'ok'
  | 'starting'
  | 'unreachable'
  | 'timeout'
  | 'unauthorized'
  | 'refused';

export interface ClusterView {
  name: string;
  title?: string;
  region?: string;
  labels: Record<string, string>;
  /** Groups of clusters that an emergency stop can name; undefined: none. */
  groups?: string[];
  /** Taken out by a person: it takes no new release. */
  cordoned?: CordonView;
  state: ClusterState;
  message?: string;
  kubernetesVersion?: string;
  nodes?: { ready: number; total: number };
  /** Summed over nodes; cores and bytes. */
  capacity?: { cpu: number; memory: number; pods: number };
  requested?: { cpu: number; memory: number; pods: number };
  /** When the answer was last good. */
  reportedAt?: number;
  since?: number;
}

export interface HoldView {
  id: string;
  service: string;
  version: string;
  reason: string;
  releaseId: string;
  since: number;
}

export interface VersionChoice {
  version: string;
  source: 'list' | 'released';
  hold?: HoldView;
  runningOn: string[];
}

export interface ServiceSummary {
  service: string;
  versions: RunningVersion[];
  activeRelease?: ReleaseView;
  lastRelease?: ReleaseView;
  holds: HoldView[];
  /** Where documents come from; undefined: the service has none yet. */
  definition?: {
    revision: string;
    location?: string;
    templates: string[];
    policies: string[];
    placements: string[];
    releases: string[];
  };
  /** Why the documents could not be read from their location; `definition` is then the last known one. */
  definitionProblem?: string;
  clustersAnswered: { answered: number; total: number };
}
