import { useApi } from '@backstage/frontend-plugin-api';
import { multiclusterReleaseApiRef, type NumberedStep } from '../api';
import { IDLE_MILLISECONDS } from './intervals';
import { metricGatesOf, type MetricGate } from './metricGatesOf';
import { usePolled, type Polled } from './usePolled';
import type { ReleaseDetails } from './useReleaseDetails';

/**
 * What a release measures, by its newest plan that leads forward. Only steps of a
 * canary measure anything; for other releases nothing is asked, and there the
 * answer stays undefined. A plan is large, so the steps say first whether there
 * is anything in it.
 */
export function useMetricGates({ release, stages }: ReleaseDetails): Polled<MetricGate[]> {
  const api = useApi(multiclusterReleaseApiRef);
  return usePolled({
    subject: stages.some(({ kind }) => kind === 'step') ? release.id : undefined,
    load: async () => {
      const measuring = (await api.listSteps(release.id)).filter(isMetricGate);
      if (measuring.length === 0) {
        return [];
      }
      const newest = Math.max(...measuring.map(({ plan }) => plan));
      return metricGatesOf(await api.getPlan(release.id, newest));
    },
    interval: () => IDLE_MILLISECONDS,
    hint: release.plan.number,
  });
}

/** Jobs are an `analyse` of each target. */
function isMetricGate({ instruction, scope }: NumberedStep): boolean {
  return instruction === 'analyse' && scope === 'stage';
}
