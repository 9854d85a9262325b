import { CustomErrorBase } from '@backstage/errors';
import type { ClusterState } from 'backstage-plugin-multicluster-release-common';
import type { ClusterErrorCause, ClusterErrorKind, ClusterErrorLike } from '../types';

const RETRYABLE: ReadonlySet<ClusterErrorKind> = new Set([
  'unreachable',
  'timeout',
  'throttled',
  'server',
]);

const STATE_OF_KIND: Partial<Record<ClusterErrorKind, ClusterState>> = {
  unreachable: 'unreachable',
  server: 'unreachable',
  timeout: 'timeout',
  unauthorized: 'unauthorized',
  forbidden: 'unauthorized',
  refusedByConfiguration: 'refused',
};

export interface ClusterErrorOptions {
  cluster: string;
  kind: ClusterErrorKind;
  /** Leads with the cluster and the object, and ends with what to do. */
  message: string;
  status?: number;
  reason?: string;
  causes?: ClusterErrorCause[];
  retryAfterSeconds?: number;
}

/**
 * The only error that cluster access throws. The text holds no Secret value and
 * no credential. No `cause` is kept: errors of lower layers may hold either.
 */
export class ClusterError extends CustomErrorBase implements ClusterErrorLike {
  name = 'ClusterError' as const;
  readonly cluster: string;
  readonly kind: ClusterErrorKind;
  readonly status?: number;
  readonly reason?: string;
  readonly causes: ClusterErrorCause[];
  readonly retryable: boolean;
  readonly retryAfterSeconds?: number;

  constructor(options: ClusterErrorOptions) {
    super(options.message);
    this.cluster = options.cluster;
    this.kind = options.kind;
    this.status = options.status;
    this.reason = options.reason;
    this.causes = options.causes ?? [];
    this.retryable = RETRYABLE.has(options.kind);
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** What a failed request says about the cluster as a whole: `ok` when it answered and only this request was refused. */
export function clusterStateOfError(kind: ClusterErrorKind): ClusterState {
  return STATE_OF_KIND[kind] ?? 'ok';
}
