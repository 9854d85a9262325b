import {
  RELEASE_STATES,
  TARGET_STATES,
  type ClusterState,
  type HealthState,
  type ReleaseState,
  type StageView,
  type StatusKey,
  type TargetState,
} from 'backstage-plugin-multicluster-release-common';
import { useTexts } from '../../hooks';
import { ReleaseStatus } from './ReleaseStatus';

const HEALTH_KEYS: Record<HealthState, StatusKey> = {
  Healthy: 'done',
  Progressing: 'running',
  Failed: 'failed',
  Unknown: 'unknown',
};

const CLUSTER_KEYS: Record<ClusterState, StatusKey> = {
  ok: 'done',
  starting: 'running',
  unreachable: 'unknown',
  timeout: 'unknown',
  unauthorized: 'failed',
  refused: 'failed',
};

export function ReleaseStateWord({ state }: { state: ReleaseState }) {
  const { text } = useTexts();
  return <ReleaseStatus status={RELEASE_STATES[state].key} word={text(`releaseState.${state}`)} />;
}

export function TargetStateWord({ state }: { state: TargetState }) {
  const { text } = useTexts();
  return <ReleaseStatus status={TARGET_STATES[state].key} word={text(`targetState.${state}`)} />;
}

export function StageStateWord({ state }: { state: StageView['state'] }) {
  const { text } = useTexts();
  return <ReleaseStatus status={state} word={text(`stageState.${state}`)} />;
}

export function HealthWord({ state }: { state: HealthState }) {
  const { text } = useTexts();
  return <ReleaseStatus status={HEALTH_KEYS[state]} word={text(`health.${state}`)} />;
}

export function ClusterStateWord({ state }: { state: ClusterState }) {
  const { text } = useTexts();
  return <ReleaseStatus status={CLUSTER_KEYS[state]} word={text(`clusterState.${state}`)} />;
}
