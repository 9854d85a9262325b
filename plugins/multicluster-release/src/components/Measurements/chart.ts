import type {
  MeasurementView,
  MetricLimit,
  ReadingResult,
} from 'backstage-plugin-multicluster-release-common';

/** Units of the drawing; it is scaled to the room that it gets. */
export const WIDTH = 320;
export const HEIGHT = 96;
const EDGE = 8;
const HEADROOM = 0.1;

/** Times of a drawing, epoch milliseconds. */
export interface Span {
  from: number;
  to: number;
}

export interface Mark {
  x: number;
  y: number;
  result: ReadingResult;
}

export interface Chart {
  /** Path of the values; it has a gap wherever there was no data. */
  line: string;
  /** One for each reading. */
  marks: Mark[];
  limitY: number;
}

/** The time that all clusters of a measurement share; undefined: nothing was read. */
export function spanOf(readings: MeasurementView[]): Span | undefined {
  if (readings.length === 0) {
    return undefined;
  }
  const from = Math.min(...readings.map(({ at }) => at));
  const to = Math.max(...readings.map(({ at }) => at));
  return { from, to: Math.max(to, from + 1) };
}

/**
 * Where readings and their limit are drawn. What says nothing stands at the foot.
 *
 * @param gapMilliseconds - readings further apart than this are not joined
 */
export function chartOf(
  readings: MeasurementView[],
  limit: MetricLimit,
  { from, to }: Span,
  gapMilliseconds: number,
): Chart {
  const scale = verticalScale(readings, limit);
  const marks = readings.map(reading => ({
    x: EDGE + ((reading.at - from) / (to - from)) * (WIDTH - 2 * EDGE),
    y: hasValue(reading) ? scale(reading.value) : HEIGHT - EDGE,
    result: reading.result,
  }));
  return { line: lineOf(readings, marks, gapMilliseconds), marks, limitY: scale(boundOf(limit)) };
}

type Measured = MeasurementView & { value: number };

/** A value from too few requests is no data. */
function hasValue(reading: MeasurementView): reading is Measured {
  const says = reading.result === 'good' || reading.result === 'bad';
  return says && reading.value !== undefined;
}

function boundOf(limit: MetricLimit): number {
  return 'max' in limit ? limit.max : limit.min;
}

/** What shall be small is drawn from zero; what shall be large around its limit, or all would look the same. */
function verticalScale(readings: MeasurementView[], limit: MetricLimit) {
  const values = [...readings.filter(hasValue).map(({ value }) => value), boundOf(limit)];
  const least = Math.min(...values, ...('max' in limit ? [0] : []));
  const most = Math.max(...values);
  const room = (most - least || Math.abs(most) || 1) * HEADROOM;
  const low = least === 0 ? 0 : least - room;
  const high = most + room;
  return (value: number) => HEIGHT - EDGE - ((value - low) / (high - low)) * (HEIGHT - 2 * EDGE);
}

function lineOf(readings: MeasurementView[], marks: Mark[], gapMilliseconds: number): string {
  const parts = readings.flatMap((reading, index) => {
    if (!hasValue(reading)) {
      return [];
    }
    const previous = readings[index - 1];
    const joined =
      previous !== undefined && hasValue(previous) && reading.at - previous.at <= gapMilliseconds;
    return `${joined ? 'L' : 'M'}${place(marks[index])}`;
  });
  return parts.join('');
}

/** Each result has a shape of its own beside its colour; that of no data is hollow. */
const SHAPES: Record<ReadingResult, string> = {
  good: 'm-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0',
  bad: 'm-5 0l5-5l5 5l-5 5z',
  noData: 'm-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0',
  error: 'm-4-4l8 8m0-8l-8 8',
};

/** All marks of the same result as one path, so that many readings stay few elements. */
export function markPath(marks: Mark[], result: ReadingResult): string {
  return marks
    .filter(mark => mark.result === result)
    .map(mark => `M${place(mark)}${SHAPES[result]}`)
    .join('');
}

function place({ x, y }: Mark): string {
  return `${round(x)} ${round(y)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Index of the mark that is nearest from side to side; -1: there is none. */
export function nearestMark(marks: Mark[], x: number): number {
  const distances = marks.map(mark => Math.abs(mark.x - x));
  return distances.indexOf(Math.min(...distances));
}
