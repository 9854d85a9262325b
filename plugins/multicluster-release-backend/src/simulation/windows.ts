import type { WindowSpec } from 'backstage-plugin-multicluster-release-common';

const MINUTE = 60_000;

/** Opens at every minute of the hour that `every` divides. */
export function windowEach(kind: WindowSpec['kind'], every: number, minutes: number): WindowSpec {
  return {
    cron: `*/${every} * * * *`,
    durationMilliseconds: minutes * MINUTE,
    timeZone: 'UTC',
    kind,
    name: `${kind} ${minutes} of ${every} minutes`,
  };
}

/** Whether nothing may start because of one of these: worked out apart from the real windows. */
export function isClosed(windows: WindowSpec[], now: number): boolean {
  const isIn = ({ cron, durationMilliseconds }: WindowSpec) => {
    const every = Number(/^\*\/(\d+) /.exec(cron)?.[1]) * MINUTE;
    return (now % (60 * MINUTE)) % every < durationMilliseconds;
  };
  const allows = windows.filter(({ kind }) => kind === 'allow');
  return (
    windows.some(window => window.kind === 'deny' && isIn(window)) ||
    (allows.length > 0 && !allows.some(isIn))
  );
}
