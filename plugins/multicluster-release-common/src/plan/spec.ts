/*
 * The spec: documents after parsing, with defaults filled in and references
 * resolved. compile reads this and never the documents themselves, so that a
 * new document form costs one translation and no strategy code.
 */
import type { MetricRule } from './metrics';
import type {
  ApprovalRule,
  Dependency,
  FailureCause,
  OfflinePolicy,
  OnFailure,
  WeightRule,
  WindowSpec,
} from './types';

/** A count of clusters: a whole number, or whole per cents (0–100). */
export type Count = { count: number } | { percent: number };

export type LabelOperator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';

/** ANDed; an empty list is no criterion. */
export interface ClusterSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: LabelOperator; values?: string[] }[];
  regions?: string[];
  /** SemVer range. */
  kubernetesVersion?: string;
  clusters?: string[];
  exclude?: string[];
}

export interface GroupSpec {
  name: string;
  match: ClusterSelector;
}

/** Where: by rule, or the founding form's explicit list (in its order). */
export type PlacementSpec =
  | {
      kind: 'rule';
      name: string;
      select: ClusterSelector;
      namespace: string;
      groups: GroupSpec[];
      ungrouped: 'refuse' | 'ignore';
    }
  | { kind: 'list'; clusters: { name: string; namespace: string }[] };

/** A cool-down in milliseconds, or until a person promotes. */
export type Pause = { milliseconds: number } | 'promotion';

/** Who must agree, and whether before the first cluster starts or after all are healthy. */
export interface ApprovalSpec extends ApprovalRule {
  when: 'before' | 'after';
}

export interface CanaryStepSpec {
  /** Exactly one of the three, or none: then the step watches all earlier targets. */
  group?: string;
  clusters?: string[];
  sharePercent?: number;
  /** Undefined: in full. A step that has nothing but a weight raises all earlier targets. */
  weight?: WeightRule;
  pause?: Pause;
  /** Cool-down of each cluster before the next takes its place; unscaled. */
  stabilizeMilliseconds?: number;
  /** Manifests of Jobs that run once on each cluster of the step. */
  jobs?: Record<string, unknown>[];
  /** Measured on each target from the start of the cool-down, and as guards until the end. */
  metrics?: MetricRule[];
  approval?: ApprovalSpec;
}

export type BatchesSpec =
  | { by: 'groups' }
  | { by: 'size'; size: Count }
  | { by: 'shares'; percents: number[] };

export type StrategySpec =
  | { type: 'Canary'; steps: CanaryStepSpec[] }
  | {
      type: 'RollingUpdate';
      mode: 'Parallel' | 'Serial' | 'Batched';
      batches: BatchesSpec;
      stabilizeMilliseconds: number;
      /** Of the workloads of each cluster, where the strategy says so. */
      maxSurge?: Count;
      maxUnavailable?: Count;
    };

export interface PolicySpec {
  order: { by: 'groups' } | { by: 'priority'; label: string } | { by: 'all' };
  maxConcurrency?: Count;
  timeoutMilliseconds: number;
  retries: number;
  maxFailures: number;
  onFailure: OnFailure;
  onNewer: 'Queue' | 'Supersede';
  offline: OfflinePolicy;
  prune: boolean;
  /** Clusters that our action may make unavailable at once. */
  maxUnavailable?: Count;
  /** Undefined: `NextRelease`. */
  joining?: 'NextRelease' | 'CatchUp';
  /** Whether maxSurge may be lowered where a cluster has no room. */
  adapt?: boolean;
  windows?: WindowSpec[];
}

export interface ReleaseSpec {
  service: string;
  /** As typed, without a leading `v`. */
  targetVersion: string;
  strategy: StrategySpec;
  placement: PlacementSpec;
  policy: PolicySpec;
  rollbackOn: FailureCause[];
  pruneAlso: string[];
  dependsOn?: Dependency[];
  /** The template before versions and overrides: what its configVersion names. */
  template?: { name: string; digest: string; configVersion: string };
  /** Entity ref of the service's owner when the release was started: for whom tenancy is judged. */
  owner?: string;
  /** Whom each override of the template reaches, in order. */
  overrideMatches?: ClusterSelector[];
}

/** A cluster as selection sees it. Labels and region come from configuration. */
export interface FleetCluster {
  name: string;
  labels: Record<string, string>;
  region?: string;
  /** As `/version` says, for example `v1.36.3`; undefined while it has never answered. */
  kubernetesVersion?: string;
}
