import type { WindowSpec } from 'backstage-plugin-multicluster-release-common';
import fc from 'fast-check';
import { occurrences } from './occurrences';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Days whose clocks change, and one whose do not. */
const DAYS = [
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['America/New_York', '2026-03-08'],
  ['America/New_York', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['Australia/Lord_Howe', '2026-10-04'],
  ['America/Santiago', '2026-09-06'],
  ['Asia/Shanghai', '2026-06-01'],
] as const;

const day = fc.constantFrom(...DAYS);
const field = (high: number) =>
  fc.oneof(
    fc.constant(undefined),
    fc.uniqueArray(fc.integer({ min: 0, max: high }), { minLength: 1, maxLength: 3 }),
  );

function clockOf(timeZone: string) {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone, hourCycle: 'h23', weekday: 'short', hour: 'numeric', minute: 'numeric' },
  } as Intl.DateTimeFormatOptions);
  return (instant: number) => {
    const parts = Object.fromEntries(
      format.formatToParts(instant).map(({ type, value }) => [type, value]),
    );
    const weekday = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].indexOf(parts.weekday);
    return { weekday, hour: Number(parts.hour), minute: Number(parts.minute) };
  };
}

/** Every minute at which the clock on the wall shows a time that fits. */
function shownMinutes(
  clock: ReturnType<typeof clockOf>,
  fits: (shown: ReturnType<ReturnType<typeof clockOf>>) => boolean,
  { from, to }: { from: number; to: number },
): number[] {
  const minutes: number[] = [];
  for (let instant = from; instant < to; instant += MINUTE) {
    if (fits(clock(instant))) {
      minutes.push(instant);
    }
  }
  return minutes;
}

/** Where the clock jumps forward. */
function jumps(clock: ReturnType<typeof clockOf>, from: number, to: number): number[] {
  const found: number[] = [];
  for (let instant = from + MINUTE; instant < to; instant += MINUTE) {
    const [before, after] = [clock(instant - MINUTE), clock(instant)];
    const step = (after.hour - before.hour + 24) * 60 + after.minute - before.minute;
    // Modulo a day; a step back is one of nearly a day.
    if (step % 1440 > 1 && step % 1440 < 720) {
      found.push(instant);
    }
  }
  return found;
}

describe('openings around the days on which clocks change', () => {
  it('are the minutes that the clock on the wall shows, and the jump over those it leaves out', () => {
    fc.assert(
      fc.property(
        day,
        field(59),
        field(23),
        field(6),
        ([timeZone, date], minute, hour, weekday) => {
          // One that is always on is not followed for days.
          fc.pre(minute !== undefined || hour !== undefined);
          const cron = [minute, hour, undefined, undefined, weekday]
            .map(values => values?.join(',') ?? '*')
            .join(' ');
          const window: WindowSpec = {
            cron,
            timeZone,
            durationMilliseconds: MINUTE,
            kind: 'allow',
          };
          const middle = Date.parse(`${date}T00:00:00Z`);
          const range = { from: middle - DAY, to: middle + 2 * DAY };
          const { times, complete } = occurrences(window, { ...range, limit: 100_000 });
          expect(complete).toBe(true);
          const minutes = times
            .flatMap(({ from, to }) =>
              Array.from({ length: (to - from) / MINUTE }, (_, index) => from + index * MINUTE),
            )
            .filter(instant => instant >= range.from && instant < range.to);
          const clock = clockOf(timeZone);
          const shown = shownMinutes(
            clock,
            now =>
              (minute?.includes(now.minute) ?? true) &&
              (hour?.includes(now.hour) ?? true) &&
              (weekday?.includes(now.weekday) ?? true),
            range,
          );
          const jump = jumps(clock, range.from, range.to);
          const unshown = minutes.filter(instant => !shown.includes(instant));
          expect(minutes.filter(instant => shown.includes(instant))).toEqual(shown);
          expect(unshown.every(instant => jump.includes(instant))).toBe(true);
        },
      ),
      { seed: 47, numRuns: 60 },
    );
  }, 60_000);
});
