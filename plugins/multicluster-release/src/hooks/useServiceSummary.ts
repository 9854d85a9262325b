import { useApi } from '@backstage/frontend-plugin-api';
import type { ServiceSummary } from 'backstage-plugin-multicluster-release-common';
import { multiclusterReleaseApiRef } from '../api';
import { pollInterval } from './intervals';
import { usePolled, type Polled } from './usePolled';
import type { ReleaseHint } from './useReleaseHint';

/** What runs where, and the active or last release. Clusters that start are asked for often. */
export function useServiceSummary(service: string, news: ReleaseHint): Polled<ServiceSummary> {
  const api = useApi(multiclusterReleaseApiRef);
  return usePolled({
    subject: service,
    load: () => api.getSummary(service),
    interval: summary => pollInterval(isMoving(summary), news.live),
    hint: news.hint,
  });
}

function isMoving(summary: ServiceSummary | undefined): boolean {
  return (
    summary?.activeRelease !== undefined ||
    (summary?.versions ?? []).some(({ clusterState }) => clusterState === 'starting')
  );
}
