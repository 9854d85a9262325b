import { useRef } from 'react';
import { useApi } from '@backstage/frontend-plugin-api';
import {
  isFinalRelease,
  type MeasurementView,
  type ReleaseView,
} from 'backstage-plugin-multicluster-release-common';
import { multiclusterReleaseApiRef } from '../api';
import { pollInterval } from './intervals';
import { readNewer } from './readNewer';
import { usePolled, type Polled } from './usePolled';

/**
 * What a gate has read, oldest first; what is known is not asked for again. A gate
 * goes on reading after its stage, as a guard, until the release is final.
 *
 * @param gate - id of the step; undefined: nothing is asked
 * @param live - whether hints arrive
 */
export function useMeasurements(
  release: ReleaseView,
  gate: string | undefined,
  live: boolean,
): Polled<MeasurementView[]> {
  const api = useApi(multiclusterReleaseApiRef);
  const subject = gate === undefined ? undefined : `${release.id}/${gate}`;
  const known = useRef<{ subject?: string; readings: MeasurementView[] }>({ readings: [] });
  return usePolled({
    subject,
    load: async () => {
      const before = known.current.subject === subject ? known.current.readings : [];
      const readings = await readNewer(
        query => api.listMeasurements(release.id, { gate, ...query }),
        before,
      );
      known.current = { subject, readings };
      return readings;
    },
    interval: () => pollInterval(!isFinalRelease(release.state), live),
    hint: release.revision,
  });
}
