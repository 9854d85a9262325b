/*
 * Release windows: when clusters may be started. Inside of a `deny` nothing
 * starts; outside of every `allow` nothing does where there is one. A stored
 * window that cannot be read counts as closed (field case C47). Pure: the same
 * windows and time always give the same answer, whatever the process's zone.
 */
import type { WindowSpec } from 'backstage-plugin-multicluster-release-common';
import { compileWindow, type WindowFault } from './compileWindow';
import type { Schedule } from './openings';
import { spanAt, type Span } from './spans';

export type WindowVerdict =
  /** `until` is when they close; undefined: not within sight. */
  | { open: true; until?: number }
  /** `window` is the one to name; `opensAt` is undefined where it does not open within sight. */
  | { open: false; window: WindowSpec; opensAt?: number; invalid?: string };

export interface Occurrence {
  from: number;
  to: number;
}

interface Timed {
  window: WindowSpec;
  schedule: Schedule;
}

interface Moment {
  closedBy?: WindowSpec;
  /** Before this nothing changes; undefined: nothing will, within sight. */
  until?: number;
}

/** How many changes of windows are followed to find when they open or close. */
const MAX_CHANGES = 100;
const MAX_REMEMBERED = 1_000;
/** Spans without a gap that a list follows; each costs some hundred searches. */
const MAX_FOLLOWED = 3;

/** Asked each second for every release: an answer holds until a window changes. */
const remembered = new Map<string, { from: number; until: number; verdict: WindowVerdict }>();

/** Whether anything may start now. No windows: open. */
export function windowVerdict(windows: WindowSpec[], now: number): WindowVerdict {
  if (windows.length === 0) {
    return { open: true };
  }
  const key = JSON.stringify(windows);
  const known = remembered.get(key);
  if (known && known.from <= now && now < known.until) {
    return known.verdict;
  }
  if (remembered.size >= MAX_REMEMBERED) {
    remembered.clear();
  }
  const { verdict, until } = judge(windows, now);
  remembered.set(key, { from: now, until, verdict });
  return verdict;
}

/** Every fault of a window, with field and value; empty: it can be stored. */
export function checkWindow(window: WindowSpec): WindowFault[] {
  const compiled = compileWindow(window);
  return 'faults' in compiled ? compiled.faults : [];
}

/** When a window is on: now, or next; `to` is undefined where its end is not within sight. */
export function nextOccurrence(
  window: WindowSpec,
  now: number,
): { from: number; to?: number } | undefined {
  const compiled = compileWindow(window);
  if ('faults' in compiled) {
    return undefined;
  }
  const measure = (at: number) => spanAt(compiled.schedule, window.durationMilliseconds, at);
  const current = measure(now);
  const span = current.on || current.until === undefined ? current : measure(current.until);
  return span.on ? { from: span.from, to: endOf(span) } : undefined;
}

/**
 * When a window is on between two instants, in order, at most `limit` times; one
 * that cannot be read is never shown as on. Not `complete` where there are more,
 * or where one without a gap was not followed to its end.
 */
export function occurrences(
  window: WindowSpec,
  { from, to, limit }: { from: number; to: number; limit: number },
): { times: Occurrence[]; complete: boolean } {
  const compiled = compileWindow(window);
  const times: Occurrence[] = [];
  let at: number | undefined = 'faults' in compiled ? undefined : from;
  for (let followed = 0; at !== undefined && at < to && 'schedule' in compiled; ) {
    const span: Span = spanAt(compiled.schedule, window.durationMilliseconds, at);
    followed += span.goesOn ? 1 : 0;
    const last = times[times.length - 1];
    if (span.on && last && span.from <= last.to) {
      last.to = span.until ?? to;
    } else if (span.on && times.length === limit) {
      return { times, complete: false };
    } else if (span.on) {
      times.push({ from: span.from, to: span.until ?? to });
    }
    if (followed > MAX_FOLLOWED) {
      return { times, complete: false };
    }
    at = span.until;
  }
  return { times, complete: true };
}

/** With the instant until which no window changes. */
function judge(windows: WindowSpec[], now: number): { verdict: WindowVerdict; until: number } {
  const timed: Timed[] = [];
  for (const window of windows) {
    const compiled = compileWindow(window);
    if ('faults' in compiled) {
      const invalid = compiled.faults.map(({ message }) => message).join('; ');
      return { verdict: { open: false, window, invalid }, until: Infinity };
    }
    timed.push({ window, schedule: compiled.schedule });
  }
  const { closedBy } = momentAt(timed, now);
  const turns = nextTurn(timed, now);
  const verdict: WindowVerdict = closedBy
    ? { open: false, window: closedBy, opensAt: turns }
    : { open: true, until: turns };
  const ends = spansAt(timed, now).map(({ span }) => span.until ?? Infinity);
  return { verdict, until: Math.min(...ends) };
}

/** When open becomes closed, or closed open. */
function nextTurn(timed: Timed[], now: number): number | undefined {
  const before = momentAt(timed, now);
  let { until } = before;
  for (let change = 0; change < MAX_CHANGES && until !== undefined; change++) {
    const moment = momentAt(timed, until);
    if ((moment.closedBy === undefined) !== (before.closedBy === undefined)) {
      return until;
    }
    until = moment.until;
  }
  return undefined;
}

function momentAt(timed: Timed[], at: number): Moment {
  const spans = spansAt(timed, at);
  const closes = spans.filter(({ window, span }) => window.kind === 'deny' && span.on);
  if (closes.length > 0) {
    return { closedBy: latest(closes).window, until: endOf(latest(closes).span) };
  }
  const allows = spans.filter(({ window }) => window.kind === 'allow');
  const denies = spans.filter(({ window }) => window.kind === 'deny');
  const open = allows.filter(({ span }) => span.on);
  if (allows.length > 0 && open.length === 0) {
    return { closedBy: earliest(allows).window, until: earliest(allows).span.until };
  }
  const ends = denies.map(({ span }) => span.until ?? Infinity);
  if (open.length > 0) {
    ends.push(endOf(latest(open).span) ?? Infinity);
  }
  const until = Math.min(...ends);
  return { until: until === Infinity ? undefined : until };
}

interface Spanned {
  window: WindowSpec;
  span: Span;
}

function spansAt(timed: Timed[], at: number): Spanned[] {
  return timed.map(({ window, schedule }) => ({
    window,
    span: spanAt(schedule, window.durationMilliseconds, at),
  }));
}

/** Where an end was not followed, there is none within sight. */
function endOf({ until, goesOn }: Span): number | undefined {
  return goesOn ? undefined : until;
}

function latest(spans: Spanned[]): Spanned {
  const end = ({ span }: Spanned) => endOf(span) ?? Infinity;
  return spans.reduce((best, each) => (end(each) > end(best) ? each : best));
}

function earliest(spans: Spanned[]): Spanned {
  const start = ({ span }: Spanned) => span.until ?? Infinity;
  return spans.reduce((best, each) => (start(each) < start(best) ? each : best));
}
