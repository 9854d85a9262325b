import type { HealthState } from 'backstage-plugin-multicluster-release-common';
import type { KubernetesObject } from '../../ports';

/** What is known besides the object itself. All times are epoch milliseconds. */
export interface HealthEvidence {
  /** Our write; a failure that is not newer is not ours (C04). */
  writtenAt?: number;
  /** By our own clock, when the newest try began; it may have had nothing to write. */
  askedAt?: number;
  now: number;
  /** Pods of the namespace, of any owner. */
  pods: KubernetesObject[];
  replicaSets: KubernetesObject[];
  /** Since when a pod has been seen in a failing state; pods that recovered are not in it. */
  failingSince?: ReadonlyMap<string, number>;
  /**
   * False for a kind whose controller never reports: without a status it is
   * `Unknown`. Default: it is waited for (C26).
   */
  awaited?: boolean;
}

/** Health of one object. `ready` and `total` count its pods, where it has any. */
export interface Verdict {
  state: HealthState;
  /** Machine word, for example `CrashLoopBackOff`. */
  reason?: string;
  message?: string;
  ready?: number;
  total?: number;
}
