import type { WindowSpec } from 'backstage-plugin-multicluster-release-common';
import { compileWindow } from './compileWindow';
import { endOf, spanAt, type Span } from './spans';

export interface Occurrence {
  from: number;
  to: number;
}

/** Spans without a gap that a list follows; each costs some hundred searches. */
const MAX_FOLLOWED = 3;

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
