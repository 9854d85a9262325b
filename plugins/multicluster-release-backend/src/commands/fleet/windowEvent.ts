import type { RunEvent } from '../../decide/types';
import type { WindowRecord } from '../../store';

/** Tells of a release window of the platform, in releases and in the audit. */
export function windowEvent(
  code: 'WindowAdded' | 'WindowRemoved',
  { id, spec }: WindowRecord,
  { by, reason }: { by: string; reason: string },
): RunEvent {
  const { name = '', cron, timeZone, kind } = spec;
  const minutes = spec.durationMilliseconds / 60_000;
  return {
    kind: 'release',
    code,
    params: { window: id, name, kind, cron, timeZone, minutes },
    message:
      code === 'WindowAdded'
        ? `Release window ${name} (${kind}, ${cron} in ${timeZone}, ${minutes} minutes) was added`
        : `Release window ${name} was removed`,
    actor: by,
    reason,
  };
}
