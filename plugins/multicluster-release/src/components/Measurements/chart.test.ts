import type { MeasurementView } from 'backstage-plugin-multicluster-release-common';
import { exampleMeasurement } from '../../testing';
import { chartOf, HEIGHT, markPath, nearestMark, spanOf, WIDTH } from './chart';

const GAP = 90_000;

/** One every 30 s; a text is a result without a value. */
function readingsOf(...values: (number | 'noData' | 'error')[]): MeasurementView[] {
  return values.map((value, index) =>
    typeof value === 'number'
      ? exampleMeasurement({ id: index + 1, value, result: value > 1 ? 'bad' : 'good' })
      : exampleMeasurement({ id: index + 1, value: undefined, result: value }),
  );
}

function draw(readings: MeasurementView[], limit: Parameters<typeof chartOf>[1] = { max: 1 }) {
  return chartOf(readings, limit, spanOf(readings) ?? { from: 0, to: 1 }, GAP);
}

const strokes = (line: string) =>
  line
    .split('M')
    .slice(1)
    .map(stroke => stroke.split('L').length);

describe('chartOf', () => {
  it('draws from left to right, a larger value higher, and the limit between', () => {
    const { marks, limitY } = draw(readingsOf(0, 0.5, 2));
    expect(marks.map(({ x }) => x)).toEqual([8, WIDTH / 2, WIDTH - 8]);
    const [zero, half, two] = marks.map(({ y }) => y);
    expect(zero).toBe(HEIGHT - 8);
    expect(zero).toBeGreaterThan(half);
    expect(half).toBeGreaterThan(limitY);
    expect(limitY).toBeGreaterThan(two);
  });

  it.each<[name: string, readings: MeasurementView[], strokes: number[]]>([
    ['joins values', readingsOf(0, 0, 2), [3]],
    ['leaves a gap where there was no data', readingsOf(0, 0, 'noData', 0.5, 0.5, 0.5), [2, 3]],
    ['leaves a gap where it could not be read', readingsOf(0, 'error', 'error', 0), [1, 1]],
    ['draws no line of nothing', readingsOf('noData', 'error'), []],
    [
      'leaves a gap where nobody read',
      readingsOf(0, 0, 0, 0, 0, 0, 0).filter(({ id }) => id < 3 || id > 5),
      [2, 2],
    ],
    [
      'takes a value from too few requests for no data',
      readingsOf(0, 0.5, 0).map(each => (each.id === 2 ? { ...each, result: 'noData' } : each)),
      [1, 1],
    ],
  ])('%s', (_name, readings, expected) => {
    const { line, marks } = draw(readings);
    expect(strokes(line)).toEqual(expected);
    expect(marks).toHaveLength(readings.length);
  });

  it('tells values around a lower limit apart', () => {
    const { marks, limitY } = draw(readingsOf(99.5, 98.5), { min: 99 });
    expect(marks[1].y - marks[0].y).toBeGreaterThan(HEIGHT / 2);
    expect(limitY).toBeGreaterThan(marks[0].y);
    expect(limitY).toBeLessThan(marks[1].y);
  });

  it.each([[{ max: 0 }], [{ min: 0 }], [{ min: 5 }]])('stays in its frame with limit %j', limit => {
    const bound = 'max' in limit ? limit.max : limit.min;
    const { marks, limitY } = draw([exampleMeasurement({ value: bound })], limit);
    expect(marks).toEqual([{ x: 8, y: limitY, result: 'good' }]);
    expect(limitY).toBeGreaterThanOrEqual(8);
    expect(limitY).toBeLessThanOrEqual(HEIGHT - 8);
  });
});

describe('marks', () => {
  it('of one result are one path', () => {
    const { marks } = draw(readingsOf(0, 2, 3, 'noData'));
    expect(markPath(marks, 'bad').split('M')).toHaveLength(3);
    expect(markPath(marks, 'error')).toBe('');
  });

  it('are found by where a pointer is', () => {
    const { marks } = draw(readingsOf(0, 0, 0));
    expect([0, 100, 150, WIDTH].map(x => nearestMark(marks, x))).toEqual([0, 1, 1, 2]);
    expect(nearestMark([], 10)).toBe(-1);
  });
});
