import type { WindowView } from 'backstage-plugin-multicluster-release-common';
import { checkWindow, occurrences } from '../../controls';
import type { WindowRecord } from '../../store';

const YEAR_MILLISECONDS = 366 * 24 * 3_600_000;

/** A release window, with why it cannot be read, or when it is on next. */
export function windowView({ spec, ...record }: WindowRecord, now: number): WindowView {
  const { name = '', cron, durationMilliseconds, timeZone, kind } = spec;
  const faults = checkWindow(spec).map(({ message }) => message);
  const [next] = record.removed ? [] : occurrences(spec, now, now + YEAR_MILLISECONDS, 1);
  return {
    ...record,
    ...{ name, cron, durationMilliseconds, timeZone, kind },
    invalid: faults.length > 0 ? faults.join('; ') : undefined,
    next,
  };
}
