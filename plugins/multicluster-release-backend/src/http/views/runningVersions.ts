import type {
  ClusterView,
  RunningVersion,
  TargetHealth,
} from 'backstage-plugin-multicluster-release-common';
import type { RunningRecord } from '../../store/types';

export interface RunningInput {
  record: RunningRecord;
  /** undefined: the cluster is not listed, or was never probed. */
  cluster?: ClusterView;
  /** Live health as the newest release of this target saw it. */
  health?: TargetHealth;
  reportedAt?: number;
}

/**
 * What runs on one target, by our record, with how far that can be trusted now.
 * A cluster that does not answer is `Unknown`, never healthy and never absent
 * (field case C40). Pure.
 */
export function runningVersion({
  record,
  cluster,
  health,
  reportedAt,
}: RunningInput): RunningVersion {
  const clusterState = cluster?.state ?? 'starting';
  const known = clusterState === 'ok' && health !== undefined;
  return {
    service: record.service,
    cluster: record.cluster,
    namespace: record.namespace,
    version: record.version,
    configVersion: record.configVersion,
    wanted: record.wantedSequence,
    observed: record.observedSequence,
    offset: offsetOf(record),
    health: known ? health : { state: 'Unknown', message: cluster?.message },
    clusterState,
    since: record.since,
    reportedAt: known ? reportedAt : cluster?.reportedAt,
    message:
      clusterState === 'ok'
        ? undefined
        : cluster?.message ?? 'The cluster has not been reached yet.',
  };
}

function offsetOf({ wantedSequence, observedSequence }: RunningRecord): number | undefined {
  return wantedSequence !== undefined && observedSequence !== undefined
    ? wantedSequence - observedSequence
    : undefined;
}
