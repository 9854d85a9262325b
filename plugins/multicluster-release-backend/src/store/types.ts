/*
 * What the store promises to engine, commands and http. One operation is one
 * file in operations/, named by what it does, a free function whose first
 * argument is a knex (or a transaction where it says `tx`).
 *
 * Lock order, for whoever takes more than one: services row, then releases row,
 * then everything below it. A lease is on a releases row. The services row is
 * what serialises starting, settling and changing the releases of one service.
 */
import type {
  DiffClass,
  Finding,
  HealthState,
  OrderEnd,
  Plan,
  ReleaseSpec,
  ReleaseState,
  StopScope,
  TargetKey,
  TargetState,
  WindowSpec,
} from 'backstage-plugin-multicluster-release-common';
import type { InventoryItem } from 'backstage-plugin-multicluster-release-node';
import type { HoldRequest, MeasurementToWrite, ReleaseRun, RunEvent } from '../decide/types';

/** Answers epoch milliseconds; comes in from outside. */
export type Clock = () => number;

/** A claim on one release. Every state write carries its ticket (design.md 4.1). */
export interface Lease {
  releaseId: string;
  /** Identifies the replica that holds it. */
  holder: string;
  /** Grows with every claim, not with renewals. */
  ticket: number;
  /**
   * Until when, on this process's own clock: the moment before the claiming
   * query was sent plus the lease's length, so it never ends later than the
   * database's own.
   */
  until: number;
}

export interface LoadedRun {
  run: ReleaseRun;
  /** Counts up with every write to the release; what ETags and signals carry. */
  revision: number;
}

/** A run to be shown, with its release as lists show it: both of one moment. */
export interface ShownRun extends LoadedRun {
  record: ReleaseRecord;
}

/** Expected ends of a settling write. */
export type SettleResult = 'settled' | 'unchanged' | 'claimLost';

/** Stands in the place of a service in events that are of none: orders for the fleet. */
export const FLEET = '*';

export interface EventToWrite extends Omit<RunEvent, 'kind'> {
  kind: RunEvent['kind'] | 'fleet';
  releaseId?: string;
  /** Entity ref, or FLEET. */
  service: string;
  /** Of an event that is of no target. */
  cluster?: string;
  at: number;
}

/** One turn's result, written in the transaction that loaded `before`. */
export interface Settlement {
  lease: Lease;
  before: LoadedRun;
  run: ReleaseRun;
  events: RunEvent[];
  measurements?: MeasurementToWrite[];
  hold?: HoldRequest;
  now: number;
}

/** A page of a list. `nextCursor` is undefined on the last page. */
export interface Page<T> {
  items: T[];
  nextCursor?: string;
}

export interface PageRequest {
  /** 1–500; default 50. */
  limit?: number;
  cursor?: string;
}

/** Makes a double click count once: kept 24 hours. */
export interface IdempotencyKey {
  /** Whose key it is, for example the user's entity ref. */
  scope: string;
  key: string;
  /** Hash of what was asked; the same key with another hash is refused. */
  bodyHash: string;
}

/** A release without its targets and plans: what lists show and filter by. */
export interface ReleaseRecord {
  id: string;
  service: string;
  spec: ReleaseSpec;
  /** `spec.strategy.type`. */
  strategy: string;
  state: ReleaseState;
  targetVersion: string;
  /** Versions that ran on its targets when it started, without repetition. */
  fromVersions: string[];
  /** The newest plan. */
  plan: { hash: string; number: number };
  /** How many targets are in each state; states without targets are absent. */
  targetStates: Partial<Record<TargetState, number>>;
  /** How many targets are in each live health. */
  targetHealth: Partial<Record<HealthState, number>>;
  startedBy: string;
  onBehalfOf?: string;
  link?: string;
  reason?: string;
  rolledBackFrom?: string;
  rolledBackBy?: string;
  queuedBehind?: string;
  createdAt: number;
  startedAt?: number;
  finishedAt?: number;
  needsWork: boolean;
  revision: number;
  /** The run's own fields: waiting, paused, stages and so on. */
  head: RunHead;
}

/** A run without what has rows of its own. */
export type RunHead = Omit<
  ReleaseRun,
  'plans' | 'targets' | 'sequences' | 'lastSequence' | 'queuedBehind'
>;

/** What the record says about a service at the moment a release of it is made. */
export interface StartContext {
  /** Allocated to the release's plan number 1. */
  sequence: number;
  /** The newest release of the service that has not ended: this one waits for it. */
  queuedBehind?: string;
  running: RunningRecord[];
  /** Where other releases are taking the service away. */
  leaving: TargetKey[];
  /** Versions of the service that are on hold now. */
  holds: HoldRecord[];
}

/** Holds to release in the same transaction; versions that are not on hold are passed over. */
export interface HoldsToLift {
  versions: string[];
  /** User entity ref. */
  by: string;
  reason?: string;
}

export interface NewRelease {
  id: string;
  service: string;
  spec: ReleaseSpec;
  /** What lists call it; default `spec.strategy.type`. */
  strategy?: 'Rollback' | 'Removal';
  /** Number 1. */
  plan: Plan;
  startedBy: string;
  onBehalfOf?: string;
  link?: string;
  reason?: string;
  /** The final release that this one puts back; it then names this one in `rolledBackBy`. */
  rolledBackFrom?: string;
  /** A version to put on hold in the same transaction. */
  hold?: HoldRequest;
  idempotency?: IdempotencyKey;
  now: number;
  /**
   * Makes the run to be stored. Called inside of the transaction, with the
   * service locked: must be quick and pure.
   */
  begin(context: StartContext): { run: ReleaseRun; events: RunEvent[]; liftHolds?: HoldsToLift };
}

/** `repeated`: the idempotency key was used before for the same body. */
export interface CreateReleaseResult {
  result: 'created' | 'repeated';
  id: string;
}

/** What a command makes of a run; `refusal` is the command's own words. */
export type RunChange<R> =
  | { run: ReleaseRun; events: RunEvent[]; liftHolds?: HoldsToLift }
  | { refusal: R };

export type ChangeResult<R> =
  | { result: 'changed' | 'unchanged'; revision: number }
  /** With the release that the key was used for: another one where it was to be made anew. */
  | { result: 'repeated'; revision: number; releaseId: string }
  | { result: 'refused'; refusal: R };

/** A preview, kept 24 hours so that exactly what was seen can be started. */
export interface PreviewedPlan {
  hash: string;
  service: string;
  spec: ReleaseSpec;
  plan: Plan;
  findings: Finding[];
  /** Masked already: nothing here may hold a Secret's value. */
  diff: DiffClass[];
  excluded: { cluster: string; rule: string }[];
  /** By target key: removals, replacements and conflicts that the preview showed. */
  risks: Record<string, string[]>;
  createdAt: number;
}

/** What our record says runs on one target. */
export interface RunningRecord {
  service: string;
  cluster: string;
  namespace: string;
  /** The proven content; undefined while the first release has not come to its end there. */
  version?: string;
  configVersion?: string;
  digest?: string;
  /** Sequence whose content was sent there last. */
  wantedSequence?: number;
  /** Sequence whose content was last proven there. */
  observedSequence?: number;
  /** When the proven content came. */
  since?: number;
  /** The release that wrote there last. */
  releaseId: string;
  /** Everything of ours that may be there. */
  inventory: InventoryItem[];
}

export interface HoldRecord {
  id: string;
  service: string;
  version: string;
  reason: string;
  releaseId: string;
  since: number;
  releasedBy?: string;
  releasedAt?: number;
}

/** An emergency stop, in force or lifted. */
export interface StopRecord {
  id: string;
  scope: StopScope;
  reason: string;
  allowRollback: boolean;
  by: string;
  since: number;
  lifted?: OrderEnd;
}

/** A release window of the platform. */
export interface WindowRecord {
  id: string;
  spec: WindowSpec;
  /** Undefined: all services. */
  services?: string[];
  reason: string;
  by: string;
  since: number;
  removed?: OrderEnd;
}

/** A cluster that takes no new release, or took none for a time. */
export interface CordonRecord {
  id: string;
  cluster: string;
  reason: string;
  by: string;
  since: number;
  lifted?: OrderEnd;
}

/** Whose documents: a service's own, or one shared policy or placement. */
export type DefinitionOwner =
  | { scope: 'service'; name: string }
  | { scope: 'policy'; name: string }
  | { scope: 'placement'; name: string };

export interface DefinitionToStore {
  owner: DefinitionOwner;
  /** As it was sent. */
  text: string;
  /** Parsed JSON, one for each document. */
  documents: unknown[];
  location?: string;
  commit?: string;
  author: string;
  /** The revision that the author saw; undefined: no check. `none`: there must be none yet. */
  ifMatch?: string;
  now: number;
}

/** One immutable revision. */
export interface DefinitionRecord extends Omit<DefinitionToStore, 'ifMatch' | 'now'> {
  /** `<number>-<first 12 hex digits of the text's SHA-256>`; what ETags carry. */
  revision: string;
  createdAt: number;
}

/** `moved`: `ifMatch` is not the newest revision; nothing was stored. */
export type PutDefinitionResult =
  | { result: 'stored' | 'unchanged'; revision: string }
  | { result: 'moved'; revision?: string };

/** A revision without its text. */
export type DefinitionSummary = Omit<DefinitionRecord, 'text' | 'documents'>;

/** The last listing of clusters that was complete and not empty (field case C07). */
export interface ClusterListingRecord {
  /** Which list, for example `fleet` or the name of a locator. */
  source: string;
  clusters: string[];
  listedAt: number;
}
