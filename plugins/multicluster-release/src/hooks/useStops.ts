import { useApi } from '@backstage/frontend-plugin-api';
import type { StopView } from 'backstage-plugin-multicluster-release-common';
import { multiclusterReleaseApiRef } from '../api';
import { ACTIVE_MILLISECONDS } from './intervals';
import { usePolled, type Polled } from './usePolled';

/** Emergency stops in force: asked for on every page of ours, whatever else it shows. */
export function useStops(): Polled<StopView[]> {
  const api = useApi(multiclusterReleaseApiRef);
  return usePolled({
    subject: 'stops',
    load: () => api.listStops(),
    interval: () => ACTIVE_MILLISECONDS,
  });
}
