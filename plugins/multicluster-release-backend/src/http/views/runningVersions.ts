import type {
  ClusterView,
  RunningVersion,
  TargetHealth,
} from 'backstage-plugin-multicluster-release-common';
import type { RunningRecord } from '../../store/types';

/** Health, and when it was so; epoch milliseconds. */
export interface SeenHealth {
  health: TargetHealth;
  at: number;
}

export interface RunningInput {
  record: RunningRecord;
  /** undefined: the cluster is not listed, or was never probed. */
  cluster?: ClusterView;
  /** undefined: nobody has looked yet. */
  seen?: SeenHealth;
  now: number;
}

/** Health that was seen longer ago says nothing about now. */
const STALE_MILLISECONDS = 5 * 60_000;

/**
 * What runs on one target, by our record, with how far that can be trusted now.
 * A cluster that does not answer is `Unknown`, never healthy and never absent
 * (field case C40). Pure.
 */
export function runningVersion({ record, cluster, seen, now }: RunningInput): RunningVersion {
  const clusterState = cluster?.state ?? 'starting';
  return {
    service: record.service,
    cluster: record.cluster,
    namespace: record.namespace,
    version: record.version,
    configVersion: record.configVersion,
    wanted: record.wantedSequence,
    observed: record.observedSequence,
    offset: offsetOf(record),
    health: healthNow(cluster, seen, now),
    clusterState,
    since: record.since,
    reportedAt: seen?.at ?? cluster?.reportedAt,
    message:
      clusterState === 'ok'
        ? undefined
        : cluster?.message ?? 'The cluster has not been reached yet.',
  };
}

function healthNow(
  cluster: ClusterView | undefined,
  seen: SeenHealth | undefined,
  now: number,
): TargetHealth {
  if (cluster?.state !== 'ok') {
    return { state: 'Unknown', message: cluster?.message };
  }
  if (!seen) {
    return { state: 'Unknown' };
  }
  return now - seen.at <= STALE_MILLISECONDS
    ? seen.health
    : { state: 'Unknown', message: `last seen ${seen.health.state}` };
}

function offsetOf({ wantedSequence, observedSequence }: RunningRecord): number | undefined {
  return wantedSequence !== undefined && observedSequence !== undefined
    ? wantedSequence - observedSequence
    : undefined;
}
