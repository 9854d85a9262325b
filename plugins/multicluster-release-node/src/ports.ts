/*
 * The ports between the brain (engine, commands) and the hands that touch one
 * cluster. The hub fills them directly; later an agent fills them on the spoke.
 * Nothing here throws for an expected end: outcomes are a closed set of words.
 */
import type {
  ClusterState,
  Finding,
  MetricProvider,
  ObjectChange,
  TargetHealth,
  TargetKey,
  TargetRef,
  WeightRule,
} from 'backstage-plugin-multicluster-release-common';

/** Raw JSON of a Kubernetes object; never passed through typed models (field case C03). */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    uid?: string;
    resourceVersion?: string;
    generation?: number;
    [key: string]: unknown;
  };
  [key: string]: unknown;
}

export interface ObjectId {
  apiVersion: string;
  kind: string;
  namespace?: string;
  name: string;
}

/** One object of an inventory, and whether it was there before us (then it is never pruned; C13). */
export interface InventoryItem extends ObjectId {
  uid?: string;
  createdByUs: boolean;
  /** Made to carry out a release, such as the Job of a gate or a canary copy: no content, and always removed. */
  helper?: boolean;
}

/**
 * Our mark on every applied object: `multicluster-release.io/stamp:
 * <service>/<sequence>.<ticket>`. Compared by sequence, then by ticket.
 */
export interface Stamp {
  service: string;
  /** Grows with every plan of the service; identifies content. */
  sequence: number;
  /** Of the lease under which it was written. */
  ticket: number;
}

/** Stored, immutable content. Secret data is encrypted or a digest at rest; see StoredContent.withheldSecrets. */
export interface StoredContent {
  digest: string;
  version: string;
  configVersion?: string;
  objects: KubernetesObject[];
  /** Secrets whose data is kept as a digest only; they can be compared, not written. */
  withheldSecrets: ObjectId[];
}

export interface ContentStore {
  /** Stores content (idempotent) and answers its digest. */
  put(content: {
    version: string;
    configVersion?: string;
    objects: KubernetesObject[];
  }): Promise<string>;
  /** @throws NotFoundError when the digest is not stored. */
  get(digest: string): Promise<StoredContent>;
}

/** What a write may still do: checked right before every single request. */
export interface WriteFence {
  /** False once the lease would end before a request that starts now is certain to have ended. */
  mayWrite(requestTimeoutMilliseconds: number): boolean;
  /** Aborted when the lease is lost or the process shuts down. */
  signal: AbortSignal;
}

export interface Effect {
  /** Equal for equal work: `<plan>/<key>/<kind>/<attempt>/<ticket>`. */
  id: string;
  kind: 'check' | 'apply' | 'weight' | 'analyse' | 'remove';
  target: TargetRef;
  key: TargetKey;
  stamp: Stamp;
  /** The content to bring; undefined: nothing shall be left of ours (a rollback to before the first release). */
  digest?: string;
  /** What the record says runs there. */
  fromDigest?: string;
  /** Everything of ours that may be there, failed attempts included (C18); what is not in the content is removed by `remove`. */
  inventory: InventoryItem[];
  /** Kinds that `remove` may only delete because the template names them. */
  pruneAlso: string[];
  prune: boolean;
  /** Removals, replacements and conflicts that the preview showed and a person accepted (see `riskKey`). */
  acceptedRisks: string[];
  /** Of `weight`, and of the `check` before it: what the content gets beside what runs there. */
  weight?: WeightRule;
  /** Of `analyse`: manifests of Jobs to run once for this attempt. */
  jobs?: Record<string, unknown>[];
}

/** How an effect ended. */
export type Outcome =
  | { result: 'done'; data?: CheckData | ApplyData | WeightData | AnalyseData }
  /** The live state would now lose something that the preview did not show. */
  | { result: 'changedSincePreview'; message: string; risks: string[] }
  /** The API server says no, and trying again cannot help. */
  | { result: 'refused'; message: string; reason?: string }
  /** The cluster did not answer. */
  | { result: 'unreachable'; message: string }
  /** Try again: conflict, throttling, an internal error. */
  | { result: 'retry'; message: string }
  /** The fence closed, or a newer stamp is on the cluster: somebody else goes on. */
  | { result: 'leaseLost'; message: string };

export interface CheckData {
  kind: 'check';
  /** Live objects of the content and the record before our first write, stored; only where our record had none. */
  beforeDigest?: string;
  /** The inventory that the coming write may leave, recorded before it is made. */
  inventory: InventoryItem[];
}

export interface ApplyData {
  kind: 'apply';
  /** With uids of what now exists. */
  inventory: InventoryItem[];
  created: number;
  configured: number;
  unchanged: number;
}

/** The canary copy is there in the numbers that give the weight; whether it is healthy is observed. */
export interface WeightData {
  kind: 'weight';
  /** With the helper objects. */
  inventory: InventoryItem[];
  /** Pods of the new version and of the old one, as wanted now. */
  pods: { canary: number; stable: number };
  /** Per cent that these numbers give. */
  reached: number;
  /** More is to come once the new pods of now are ready: only then the running ones can be missed. Ask again. */
  partial?: true;
}

/**
 * What the Jobs of an `analyse` say now. They are made once for each attempt,
 * under a name that follows from release sequence and attempt, so asking again
 * after a kill finds them.
 */
export interface AnalyseData {
  kind: 'analyse';
  verdict: 'passed' | 'failed' | 'running';
  message?: string;
  /** With the Jobs, which are removed again once they have passed. */
  inventory: InventoryItem[];
}

/** One target as the cluster shows it. */
export interface TargetObservation {
  key: TargetKey;
  /** When what this says was known to be true; epoch milliseconds. */
  at: number;
  reachable: boolean;
  clusterState: ClusterState;
  /** The lowest stamp over all objects of the content; undefined where one is missing or bears none. */
  stamp?: { sequence: number; ticket: number };
  /** Nothing of the content bears a stamp, because other services may bring it too: fenced by uid and record alone. */
  stampless?: boolean;
  health: TargetHealth;
}

export interface ObserveRequest {
  target: TargetRef;
  key: TargetKey;
  service: string;
  digest?: string;
  /** Only a copy of the content is there, beside what ran before: its health is what counts. */
  weighted?: boolean;
  /** Health of writes older than this is not ours (C04); epoch milliseconds. */
  writtenAt?: number;
}

export interface Observer {
  /** Replaces the set of targets that are watched. */
  watch(requests: ObserveRequest[]): void;
  /** Newest observation of each watched target. */
  latest(): TargetObservation[];
  close(): void;
}

export interface PreviewRequest {
  target: TargetRef;
  key: TargetKey;
  service: string;
  digest: string;
  fromDigest?: string;
  inventory: InventoryItem[];
  pruneAlso: string[];
  prune: boolean;
  /** To which the plan brings the target before it brings it in full. */
  weights?: WeightRule[];
}

export interface TargetPreview {
  key: TargetKey;
  clusterState: ClusterState;
  changes: ObjectChange[];
  findings: Finding[];
  /** Removals, replacements and conflicts in this preview; accepted by starting the plan. */
  risks: string[];
}

/** One reading to take on a target. */
export interface Measurement {
  cluster: string;
  namespace: string;
  provider: MetricProvider;
  version: string;
  /** What ran there before; undefined in a first release. */
  stableVersion?: string;
  /** How far the reading looks back. */
  windowMilliseconds: number;
  /** What is read beside it, by the same query. */
  comparison?: BaselineRequest;
}

/** The version that is being replaced, now, or (with its time, in epoch milliseconds) before the stage began. */
export type BaselineRequest = { with: 'stable' } | { with: 'before'; at: number };

/** What a reading says; only a number is a value. `query` is what was sent. */
export type Reading = SingleReading & {
  /** Where a comparison was asked for. */
  baseline?: SingleReading;
};

export type SingleReading = { query: string } & (
  | { result: 'value'; value: number; samples?: number }
  | { result: 'noData'; message: string }
  | { result: 'error'; message: string }
);

/** Reads measurements. */
export interface Measurer {
  /** Never rejects: what goes wrong is an `error`, or, where `signal` ends it, anything. */
  measure(measurement: Measurement, signal: AbortSignal): Promise<Reading>;
}

/** Everything the brain asks of one cluster. */
export interface Hands {
  perform(effect: Effect, fence: WriteFence): Promise<Outcome>;
  observer(onChange: () => void): Observer;
  preview(request: PreviewRequest, signal?: AbortSignal): Promise<TargetPreview>;
}
