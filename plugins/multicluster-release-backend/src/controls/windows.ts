/*
 * Release windows: when clusters may be started. Inside of a `deny` nothing
 * starts; outside of every `allow` nothing does where there is one. A stored
 * window that cannot be read counts as closed (field case C47). Pure: the same
 * windows and time always give the same answer, whatever the process's zone.
 */
import type { WindowSpec } from 'backstage-plugin-multicluster-release-common';
import { compileWindow } from './compileWindow';
import type { Schedule } from './openings';
import { endOf, spanAt, type Span } from './spans';

export type WindowVerdict =
  /** `until` is when they close; undefined: not within sight. */
  | { open: true; until?: number }
  /** `window` is the one to name; `opensAt` is undefined where it does not open within sight. */
  | { open: false; window: WindowSpec; opensAt?: number; invalid?: string };

interface Timed {
  /** Windows of one layer make up for each other, those of two do not. */
  layer: number;
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

/** Asked each second for every release: an answer holds until a window changes. */
const remembered = new Map<string, { from: number; until: number; verdict: WindowVerdict }>();

/** Whether anything may start now. No windows: open. */
export function windowVerdict(windows: WindowSpec[], now: number): WindowVerdict {
  return layersVerdict([windows], now);
}

/**
 * As `windowVerdict`, for windows of several that are above each other, such as
 * the platform's and a policy's: each of them has to be open, so that nobody's
 * `allow` opens what another one closes.
 */
export function layersVerdict(layers: WindowSpec[][], now: number): WindowVerdict {
  if (layers.every(windows => windows.length === 0)) {
    return { open: true };
  }
  const key = JSON.stringify(layers);
  const known = remembered.get(key);
  if (known && known.from <= now && now < known.until) {
    return known.verdict;
  }
  if (remembered.size >= MAX_REMEMBERED) {
    remembered.clear();
  }
  const { verdict, until } = judge(layers, now);
  remembered.set(key, { from: now, until, verdict });
  return verdict;
}

/** With the instant until which no window changes. */
function judge(layers: WindowSpec[][], now: number): { verdict: WindowVerdict; until: number } {
  const timed: Timed[] = [];
  for (const [layer, window] of numbered(layers)) {
    const compiled = compileWindow(window);
    if ('faults' in compiled) {
      const invalid = compiled.faults.map(({ message }) => message).join('; ');
      return { verdict: { open: false, window, invalid }, until: Infinity };
    }
    timed.push({ layer, window, schedule: compiled.schedule });
  }
  const { closedBy } = momentAt(timed, now);
  const turns = nextTurn(timed, now);
  const verdict: WindowVerdict = closedBy
    ? { open: false, window: closedBy, opensAt: turns }
    : { open: true, until: turns };
  const ends = spansAt(timed, now).map(({ span }) => span.until ?? Infinity);
  return { verdict, until: Math.min(...ends) };
}

function numbered(layers: WindowSpec[][]): [layer: number, window: WindowSpec][] {
  return layers.flatMap((windows, layer) =>
    windows.map((window): [number, WindowSpec] => [layer, window]),
  );
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
  const denies = spans.filter(({ window }) => window.kind === 'deny');
  const closes = denies.filter(({ span }) => span.on);
  if (closes.length > 0) {
    return { closedBy: latest(closes).window, until: endOf(latest(closes).span) };
  }
  const layers = allowsByLayer(spans);
  const closed = layers.filter(allows => allows.every(({ span }) => !span.on)).map(earliest);
  if (closed.length > 0) {
    const last = latest(closed);
    return { closedBy: last.window, until: last.span.until };
  }
  const ends = [
    ...denies.map(({ span }) => span.until ?? Infinity),
    ...layers.map(allows => endOf(latest(allows.filter(({ span }) => span.on)).span) ?? Infinity),
  ];
  const until = Math.min(...ends);
  return { until: until === Infinity ? undefined : until };
}

function allowsByLayer(spans: Spanned[]): Spanned[][] {
  const layers = new Map<number, Spanned[]>();
  for (const spanned of spans.filter(({ window }) => window.kind === 'allow')) {
    layers.set(spanned.layer, [...(layers.get(spanned.layer) ?? []), spanned]);
  }
  return [...layers.values()];
}

interface Spanned {
  layer: number;
  window: WindowSpec;
  span: Span;
}

function spansAt(timed: Timed[], at: number): Spanned[] {
  return timed.map(({ layer, window, schedule }) => ({
    layer,
    window,
    span: spanAt(schedule, window.durationMilliseconds, at),
  }));
}

function latest(spans: Spanned[]): Spanned {
  const end = ({ span }: Spanned) => endOf(span) ?? Infinity;
  return spans.reduce((best, each) => (end(each) > end(best) ? each : best));
}

function earliest(spans: Spanned[]): Spanned {
  const start = ({ span }: Spanned) => span.until ?? Infinity;
  return spans.reduce((best, each) => (start(each) < start(best) ? each : best));
}
