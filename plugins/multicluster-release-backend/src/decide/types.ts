/*
 * The run: decide's whole state. JSON throughout, because it lives in rows
 * (`releases`, `plans`, `release_targets`) across upgrades and restarts. Times
 * are epoch milliseconds. decide never reads a clock: `now` comes in.
 */
import type {
  ContentRef,
  FailureCause,
  Plan,
  ReadingResult,
  ReleaseSpec,
  ReleaseState,
  Reselection,
  TargetHealth,
  TargetKey,
  TargetState,
  Waiting,
  WindowSpec,
} from 'backstage-plugin-multicluster-release-common';
import type {
  Effect,
  InventoryItem,
  Measurement,
  ObserveRequest,
  Outcome,
  Reading,
  TargetObservation,
} from 'backstage-plugin-multicluster-release-node';

export type PhaseName = 'check' | 'apply' | 'ready' | 'analyse' | 'remove' | 'soak' | 'rollback';

export interface TargetRun {
  key: TargetKey;
  cluster: string;
  namespace: string;
  group?: string;
  state: TargetState;
  /** Number of the plan that this target follows now: 1, or that of a rollback. */
  plan: number;
  /** Index of its stage in that plan. */
  stage: number;
  /** Position on the stage's track of target steps; equal to its length when walked. */
  position: number;
  /** What the record says ran there when the release started. */
  from?: ContentRef;
  fromSequence?: number;
  /** Content of live objects from before the first managed release (adoption); the way back. */
  beforeDigest?: string;
  /** Everything of ours that may be there; written down before the first write. */
  inventory: InventoryItem[];
  /** As it was when the release was made: what a way back may make again, on record before it does. */
  inventoryBefore?: InventoryItem[];
  /** True from right before the first write of this release: a rollback must put it back. */
  touched: boolean;
  /** Sequence of the plan whose content was last sent there. */
  sequence?: number;
  /** Ticket of the last apply that ended well: what the newest stamp on the cluster must show. */
  ticket?: number;
  /** When that apply ended; older evidence says nothing about it. */
  appliedAt?: number;
  /** Failed ones of the current round: what `retries` bounds. */
  attempts: number;
  /** Only grows: names each attempt, also after a person has let it try again. */
  tries?: number;
  /** The step and the attempt whose Jobs have passed: they run once, also where the track is walked again. */
  passedJobs?: string;
  /** The first write of the current attempt. */
  writtenAt?: number;
  /** When the current attempt runs out; shifted while the release stands still. */
  timeoutAt?: number;
  /** When the target was first seen healthy for this content. */
  healthyAt?: number;
  /** Do not try the current step again before. */
  retryAt?: number;
  retries?: number;
  /** A write was sent whose answer is not known; until then it may still land, and nothing is removed in a rollback. */
  unsettledUntil?: number;
  failure?: {
    cause: FailureCause | 'Refused' | 'Offline';
    message: string;
    at: number;
    /** A person has seen it and let others try again without it: it pauses nothing any more. */
    seen?: boolean;
  };
  /** Since when an emergency stop forbids writing there. */
  stoppedSince?: number;
  /** It did not run what it should when the release was made: a fix goes there first, and costs nothing (C28). */
  brokenBefore?: boolean;
  /** Per cent of the cluster's traffic that the new version shall have and, by its pods, gets; undefined: all or nothing. */
  weight?: {
    wanted: number;
    reached?: number;
    /** New pods that must be ready before it counts as healthy, or is taken further. */
    pods?: number;
    /** Those are not yet all: it is asked for again when they are ready. */
    partial?: boolean;
  };
  /** It was passed over because its cluster had left the fleet, not because a person said so. */
  left?: boolean;
  /** A person takes it out of this release: what was written there goes back. */
  skip?: { by: string; at: number; reason?: string };
  /** What a person wants there instead of what ran before. */
  wanted?: ContentRef;
  unreachableSince?: number;
  /** When that was long enough to count as offline. */
  offlineSince?: number;
  /** A person accepted what changed since the preview. */
  acceptedRisks: string[];
  changedRisks?: { message: string; risks: string[] };
  health: TargetHealth;
  reportedAt?: number;
  message?: string;
  phases: { name: PhaseName; from: number; to?: number }[];
}

/** A question to people, by the id of its step. */
export interface ApprovalRun {
  stepId: string;
  askedAt: number;
  /** After this its votes are void and it is asked anew. */
  expiresAt?: number;
  votes: Vote[];
  passedAt?: number;
}

export interface Vote {
  by: string;
  at: number;
  reason?: string;
  /** The plan that was looked at; a vote for another one does not count. */
  planHash: string;
}

export interface Skip {
  stepId: string;
  by: string;
  at: number;
  reason?: string;
  /** Of a step that each target walks: the targets that were there, for which alone it holds. */
  keys?: TargetKey[];
}

/** Counters of one measurement on one target. */
export interface MetricRun {
  /** When the gate or the target's attempt began that it counts for. */
  since: number;
  nextAt: number;
  good: number;
  bad: number;
  /** Without data, or in error: they say nothing. */
  silent: number;
  badInRow: number;
  errorsInRow: number;
  last?: { at: number; result: ReadingResult; value?: number; message?: string };
}

export interface StageRun {
  index: number;
  startedAt?: number;
  approvals?: ApprovalRun[];
  /** Steps that a person let go, with why; their id. */
  skipped?: Skip[];
  /** All targets have walked the track; the gate began. */
  gateAt?: number;
  /** By `<metric>@<target key>`. */
  metrics?: Record<string, MetricRun>;
  promotedBy?: string;
  finishedAt?: number;
}

export interface ReleaseRun {
  id: string;
  service: string;
  state: ReleaseState;
  targetVersion: string;
  /** Plans by number, oldest first; [0] is the one that was started. */
  plans: Plan[];
  /** Sequence of each plan, by its number. */
  sequences: Record<number, number>;
  /** The service's newest sequence; a new plan takes the next one. */
  lastSequence: number;
  stage: number;
  stages: StageRun[];
  targets: TargetRun[];
  paused?: { by: string; since: number; reason?: string };
  /** Since when time-outs stand still. */
  stoodStillSince?: number;
  /** Ids of older releases of the service that must end first. */
  queuedBehind?: string;
  /** When nothing was ahead of it any more, and its clusters could not be settled yet. */
  turnCameAt?: number;
  planChanged?: {
    message: string;
    hash: string;
    since: number;
    /** Set where the version has come on hold meanwhile: going on releases the hold. */
    hold?: { version: string; reason: string };
  };
  /** Set when the whole release goes back. */
  rollback?: {
    by: string;
    reason: string;
    since: number;
    scope: 'touched' | 'stage' | 'failed';
    /** Where a person chose another version than what ran before: its content, by target. */
    to?: Record<TargetKey, ContentRef>;
  };
  aborted?: { by: string; since: number; reason?: string };
  /** A newer release of the service takes its place: it stops as if by hand. */
  superseded?: { by: string; since: number };
  startedBy?: string;
  /** Failures above the limit with `onFailure: Pause`. */
  overBudget?: { failed: number; max: number; since: number };
  waiting: Waiting[];
  createdAt: number;
  startedAt?: number;
  finishedAt?: number;
  /** Work is left although the state may be final (pending targets). */
  needsWork: boolean;
}

/** What the record says of one target when a release is made. */
export interface CurrentRecord {
  content?: ContentRef;
  sequence?: number;
  inventory: InventoryItem[];
  /** What was sent there last has not been proven. */
  unproven?: boolean;
}

export interface DecideSettings {
  /** Multiplies soak and pauses, never time-outs, leases or the crash rule (example.md). */
  timeScale: number;
  /** Evidence older than this is not fresh. */
  freshMilliseconds: number;
}

/** An emergency stop that reaches this release (design.md 4.12). */
export interface StopOrder {
  id: string;
  by: string;
  reason: string;
  since: number;
  /** Rollbacks may write all the same. */
  allowRollback: boolean;
  /** Clusters of this release that it reaches. */
  clusters: string[];
}

export interface Cordon {
  by: string;
  reason: string;
  since: number;
}

/** What the platform's people have ordered, read in the turn's own transaction. */
export interface Controls {
  stops: StopOrder[];
  /** By name: clusters that take no new release. */
  cordons: Record<string, Cordon>;
  /** Of the platform, that reach this service. */
  windows: WindowSpec[];
  /** Clusters of the release that the (trusted) fleet no longer lists. */
  left: string[];
  /** What the services that this one depends on run by our record, proven. */
  dependencies: { service: string; cluster: string; namespace: string; version?: string }[];
}

export interface Inputs {
  /** Undefined: nothing is ordered. */
  controls?: Controls;
  observations: TargetObservation[];
  /** Ends of effects since the last turn, oldest first. */
  outcomes: { effect: Effect; outcome: Outcome; at: number }[];
  /** The effect that is being performed for a target, by its key: at most one. */
  inFlight: ReadonlyMap<TargetKey, string>;
  /** Ticket of the lease under which this turn runs. */
  ticket: number;
  /** Readings that came since the last turn. */
  measured?: Measured[];
  /** Ids of readings that are being taken. */
  measuring?: ReadonlySet<string>;
  /** Only for a queued release: whether the one ahead has ended, and what each target runs by our record. */
  queue?: {
    aheadEnded: boolean;
    current: ReadonlyMap<TargetKey, CurrentRecord>;
    /** What its placement selects when its turn comes; undefined for releases that lead back or take off. */
    reselected?: Reselected | FleetUntrusted;
    /** It takes its service off clusters by order (a way back may do so too, and is none). */
    removal?: boolean;
    /** Why its version is on hold by now, for example since the one ahead brought the same and went back. */
    hold?: string;
  };
}

/** One reading that is due. */
export interface MeasureRequest extends Measurement {
  /** Names the measurement on its target: at most one reading of it is under way. */
  id: string;
  /** Of its counters: an answer for older ones counts no more. */
  since: number;
  key: TargetKey;
  name: string;
}

export interface Measured {
  id: string;
  since: number;
  at: number;
  reading: Reading;
}

/** A reading as it is kept, with the query as it was sent. */
export interface MeasurementToWrite {
  stage: number;
  stepId: string;
  key: TargetKey;
  metric: string;
  at: number;
  result: ReadingResult;
  value?: number;
  samples?: number;
  message?: string;
  query: string;
  /** What it was compared with, where that could be read. */
  baseline?: number;
  baselineQuery?: string;
}

/** Of a queued release whose turn has come: the fleet is looked at once more. */
export interface Reselected extends Pick<Reselection, 'selection' | 'contents'> {
  spec: ReleaseSpec;
}

/** An error is never an absence (C07): it waits until the list can be trusted. */
export interface FleetUntrusted {
  untrusted: string;
}

export interface RunEvent {
  kind: 'release' | 'stage' | 'target' | 'plan';
  code: string;
  params: Record<string, string | number>;
  message: string;
  /** `system`, or the user who caused it. */
  actor: string;
  reason?: string;
  key?: TargetKey;
  stage?: number;
}

/** A version that must not come back by itself. */
export interface HoldRequest {
  version: string;
  reason: string;
}

export interface Decision {
  run: ReleaseRun;
  effects: Effect[];
  observe: ObserveRequest[];
  events: RunEvent[];
  hold?: HoldRequest;
  /** Effects that run there must end now: nothing may be written any more. */
  halt: TargetKey[];
  /** Readings to take now. */
  measure: MeasureRequest[];
  /** Readings that counted in this turn. */
  measurements: MeasurementToWrite[];
  /** When to decide again without any news; undefined: only on news. */
  wakeAt?: number;
}
