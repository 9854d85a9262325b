import type { WindowView } from 'backstage-plugin-multicluster-release-common';
import { checkWindow, nextOccurrence } from '../../controls';
import type { WindowRecord } from '../../store';

/** A release window, with why it cannot be read, or when it is on next. */
export function windowView({ spec, ...record }: WindowRecord, now: number): WindowView {
  const { name = '', cron, durationMilliseconds, timeZone, kind } = spec;
  const faults = checkWindow(spec).map(({ message }) => message);
  return {
    ...record,
    ...{ name, cron, durationMilliseconds, timeZone, kind },
    invalid: faults.length > 0 ? faults.join('; ') : undefined,
    next: record.removed ? undefined : nextOccurrence(spec, now),
  };
}
