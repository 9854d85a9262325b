import type { ClusterState, ClusterView } from 'backstage-plugin-multicluster-release-common';
import { clusterStateOfError } from '../errors/ClusterError';
import type { ClusterErrorLike, ClusterInfo } from '../types';
import type { ProbeAnswer } from './probeCluster';

/** What the prober knows of a cluster beside what the list says of it. */
export type ProbedStatus = Omit<ClusterView, 'name' | 'title' | 'region' | 'labels'>;

export type ProbeResult = { answer: ProbeAnswer } | { error: ClusterErrorLike };

export interface StatusContext {
  now: number;
  /** When the cluster was first listed; epoch milliseconds. */
  listedSince: number;
  startGraceMilliseconds: number;
}

/** Before the first look. */
export function firstStatus(info: ClusterInfo, now: number): ProbedStatus {
  return info.refused === undefined
    ? { state: 'starting', since: now }
    : { state: 'refused', since: now, message: info.refused };
}

/**
 * The status after one more look. What was read before stays, with `reportedAt`
 * saying how old it is: an unreachable cluster has unknown numbers, not zeros.
 */
export function nextStatus(
  before: ProbedStatus,
  result: ProbeResult,
  context: StatusContext,
): ProbedStatus {
  if ('answer' in result) {
    const { requested, ...answer } = result.answer;
    return {
      ...answer,
      // Read less often than the rest.
      requested: requested ?? before.requested,
      state: 'ok',
      reportedAt: context.now,
      since: before.state === 'ok' ? before.since : context.now,
    };
  }
  const state = stateAfterError(before, result.error, context);
  return {
    ...before,
    state,
    message: result.error.message,
    since: before.state === state ? before.since : context.now,
  };
}

function stateAfterError(
  before: ProbedStatus,
  error: ClusterErrorLike,
  context: StatusContext,
): ClusterState {
  const state = clusterStateOfError(error.kind);
  const silent = state === 'unreachable' || state === 'timeout';
  const neverAnswered = before.reportedAt === undefined;
  if (
    silent &&
    neverAnswered &&
    context.now - context.listedSince < context.startGraceMilliseconds
  ) {
    return 'starting';
  }
  // A cluster whose own version cannot be read is not well, whatever it answered.
  return state === 'ok' ? 'unreachable' : state;
}
