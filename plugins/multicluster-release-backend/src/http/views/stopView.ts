import type { Reach, StopView } from 'backstage-plugin-multicluster-release-common';
import type { StopRecord } from '../../store';

/** An emergency stop; how far it goes is told while it is in force. */
export function stopView(stop: StopRecord, reach: Reach): StopView {
  return { ...stop, reach: stop.lifted ? undefined : reach };
}
