import { useApi } from '@backstage/frontend-plugin-api';
import type { EventView } from 'backstage-plugin-multicluster-release-common';
import { multiclusterReleaseApiRef } from '../api';
import { usePolled, type Polled } from './usePolled';

const INTERVAL_MILLISECONDS = 60_000;

/** What happened in a release, oldest first. Another `revision` means that there may be news. */
export function useReleaseEvents(releaseId: string, revision: number): Polled<EventView[]> {
  const api = useApi(multiclusterReleaseApiRef);
  return usePolled({
    subject: releaseId,
    load: () => api.listEvents(releaseId),
    interval: () => INTERVAL_MILLISECONDS,
    hint: revision,
  });
}
