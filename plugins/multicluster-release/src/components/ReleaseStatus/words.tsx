import {
  RELEASE_STATES,
  TARGET_STATES,
  type ClusterState,
  type HealthState,
  type ReadingResult,
  type ReleaseView,
  type StatusKey,
  type TargetState,
} from 'backstage-plugin-multicluster-release-common';
import { useTexts } from '../../hooks';
import type { ShownStageState } from '../../text';
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

const READING_KEYS: Record<ReadingResult, StatusKey> = {
  good: 'done',
  bad: 'failed',
  noData: 'waiting',
  error: 'unknown',
};

export function ReleaseStateWord({ release: { state } }: { release: Pick<ReleaseView, 'state'> }) {
  const { text } = useTexts();
  return <ReleaseStatus status={RELEASE_STATES[state].key} word={text(`releaseState.${state}`)} />;
}

export function TargetStateWord({ state }: { state: TargetState }) {
  const { text } = useTexts();
  return <ReleaseStatus status={TARGET_STATES[state].key} word={text(`targetState.${state}`)} />;
}

export function StageStateWord({ state }: { state: ShownStageState }) {
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

export function readingKey(result: ReadingResult): StatusKey {
  return READING_KEYS[result];
}

/** Of the last reading; undefined: there is none yet. */
export function ReadingWord({ result }: { result: ReadingResult | undefined }) {
  const { text } = useTexts();
  return (
    <ReleaseStatus
      status={result ? readingKey(result) : 'pending'}
      word={text(`reading.${result ?? 'none'}`)}
    />
  );
}
