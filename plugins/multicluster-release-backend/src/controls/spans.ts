import { nextOpening, type Schedule } from './openings';

/** Whether one window is on, and for how long that is so. */
export interface Span {
  on: boolean;
  /** Where it is on: the first opening that still lasts. Else the instant that was asked for. */
  from: number;
  /** Until when this is certain; undefined: for years. */
  until?: number;
  /** It is on beyond `until`; how far was not followed. */
  goesOn?: boolean;
}

/** Openings that follow each other without a gap are followed so far. */
const MAX_STEPS = 500;

/** The window at an instant. It is on from each opening for its length in real time; what overlaps is one span. */
export function spanAt(schedule: Schedule, length: number, at: number): Span {
  const first = nextOpening(schedule, at - length);
  if (first === undefined || first > at) {
    return { on: false, from: at, until: first };
  }
  let last = first;
  for (let step = 0; step < MAX_STEPS; step++) {
    const next = openingWithin(schedule, last, length);
    if (next === undefined) {
      return { on: true, from: first, until: last + length };
    }
    last = next;
  }
  return { on: true, from: first, until: last + length, goesOn: true };
}

/** Where the end was not followed, there is none within sight. */
export function endOf({ until, goesOn }: Span): number | undefined {
  return goesOn ? undefined : until;
}

/** An opening before the end of the one at `opened`, or right at it; a late one where there is, to need few steps. */
function openingWithin(schedule: Schedule, opened: number, length: number): number | undefined {
  const end = opened + length;
  const next = nextOpening(schedule, opened);
  if (next === undefined || next > end) {
    return undefined;
  }
  const late = nextOpening(schedule, Math.max(next, opened + length / 2));
  return late !== undefined && late <= end ? late : next;
}
