/*
 * When a cron opens, as instants. The cron parser searches on a clock without
 * summer time, and zones are laid over what it finds: its own search skips the
 * hour that comes twice, and none of this depends on the process's zone.
 *
 * Summer time: a time that the clocks jump over opens at the jump; one that they
 * show twice opens twice, so that who reads the clock is always right.
 */
import type { CronTime } from 'cron';
import type { IANAZone } from 'luxon';

export interface Schedule {
  cron: CronTime;
  zone: IANAZone;
  /** The last answer: between its two instants nothing opens. Who walks along asks mostly there. */
  last?: { after: number; opening: number | undefined };
}

const MINUTE = 60_000;
/** No zone changes its clocks twice within it. */
const WEEK = 7 * 24 * 60 * MINUTE;

/** The first opening after this instant; undefined: none in the next years. */
export function nextOpening(schedule: Schedule, after: number): number | undefined {
  const { last } = schedule;
  if (last && last.after <= after && after < (last.opening ?? Infinity)) {
    return last.opening;
  }
  const opening = search(schedule, after);
  schedule.last = { after, opening };
  return opening;
}

function search({ cron, zone }: Schedule, after: number): number | undefined {
  let from = after;
  let offset = offsetAt(zone, after);
  for (;;) {
    const clock = nextOnClock(cron, from + offset);
    if (clock === undefined) {
      return undefined;
    }
    const opening = clock - offset;
    const change = firstChange(zone, offset, from, opening);
    if (change === undefined) {
      return opening;
    }
    offset = offsetAt(zone, change);
    if (clock < change + offset) {
      return change;
    }
    from = change - 1;
  }
}

function offsetAt(zone: IANAZone, instant: number): number {
  return zone.offset(instant) * MINUTE;
}

/** The first minute after `clock` that fits, both read as UTC. */
function nextOnClock(cron: CronTime, clock: number): number | undefined {
  // Right before a full minute: the parser would else try each second.
  const start = Math.floor(clock / MINUTE) * MINUTE + MINUTE - 1;
  try {
    return cron.getNextDateFrom(new Date(start), 'UTC').toMillis();
  } catch {
    // Nothing fits in years, as with 30 February.
    return undefined;
  }
}

/** The first instant after `from`, up to `to`, that is not `offset` away from UTC. */
function firstChange(zone: IANAZone, offset: number, from: number, to: number): number | undefined {
  for (let same = from; same < to; same += WEEK) {
    const end = Math.min(same + WEEK, to);
    if (offsetAt(zone, end) !== offset) {
      return changeBetween(zone, offset, same, end);
    }
  }
  return undefined;
}

function changeBetween(zone: IANAZone, offset: number, from: number, to: number): number {
  let same = from;
  let other = to;
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2);
    if (offsetAt(zone, middle) === offset) {
      same = middle;
    } else {
      other = middle;
    }
  }
  return other;
}
