import fc from 'fast-check';
import { isWeight, podCounts, podCountsBeside, weightOf, weightsNear } from './podCounts';

describe('podCounts', () => {
  /** Field case C29, podCanary. */
  it.each([
    { replicas: 1, surge: 0, weight: 10, canary: 0, stable: 1 },
    { replicas: 1, surge: 0, weight: 50, canary: 1, stable: 0 },
    { replicas: 3, surge: 1, weight: 33, canary: 1, stable: 2 },
    { replicas: 3, surge: 0, weight: 50, canary: 2, stable: 1 },
  ])('C29: $replicas pods, $surge above, at $weight', ({ weight, canary, stable, ...room }) => {
    expect(podCounts(room, weight)).toEqual({ canary, stable });
  });

  it.each<[string, number, number, number, number, number, number]>([
    ['a quarter of four', 4, 1, 25, 1, 3, 25],
    ['a fifth of four needs a pod more', 4, 1, 20, 1, 4, 20],
    ['what is below the smallest gets one pod', 3, 1, 10, 1, 3, 25],
    ['what is above the greatest leaves one pod', 3, 0, 99, 2, 1, 67],
    ['one pod has company where one more may run', 1, 1, 10, 1, 1, 50],
    ['nothing runs', 0, 1, 50, 0, 0, 0],
  ])('%s', (_name, replicas, surge, weight, canary, stable, reached) => {
    const split = podCounts({ replicas, surge }, weight);
    expect({ ...split, reached: weightOf(split) }).toEqual({ canary, stable, reached });
  });

  const rooms = fc.record({
    replicas: fc.integer({ min: 1, max: 40 }),
    surge: fc.integer({ min: 0, max: 12 }),
  });
  const weights = fc.integer({ min: 1, max: 99 });

  it('never runs more than may run, nor fewer than shall, and both versions where two can', () => {
    fc.assert(
      fc.property(rooms, weights, ({ replicas, surge }, weight) => {
        const { canary, stable } = podCounts({ replicas, surge }, weight);
        expect(canary + stable).toBeLessThanOrEqual(replicas + surge);
        expect(canary + stable).toBeGreaterThanOrEqual(replicas);
        expect(Math.min(canary, stable)).toBeGreaterThanOrEqual(replicas + surge > 1 ? 1 : 0);
      }),
    );
  });

  it('is as near as it can be', () => {
    fc.assert(
      fc.property(rooms, weights, fc.nat(), fc.nat(), (room, weight, extra, other) => {
        fc.pre(room.replicas > 1);
        const total = room.replicas + (extra % (room.surge + 1));
        const canary = 1 + (other % (total - 1));
        const split = podCounts(room, weight);
        const distance = Math.abs((100 * split.canary) / (split.canary + split.stable) - weight);
        expect(distance).toBeLessThanOrEqual(Math.abs((100 * canary) / total - weight) + 1e-9);
      }),
    );
  });

  it('gives no smaller part for a greater weight', () => {
    fc.assert(
      fc.property(rooms, weights, weights, (room, a, b) => {
        const [less, more] = [Math.min(a, b), Math.max(a, b)].map(weight =>
          podCounts(room, weight),
        );
        expect(more.canary * (less.canary + less.stable)).toBeGreaterThanOrEqual(
          less.canary * (more.canary + more.stable),
        );
      }),
    );
  });
});

describe('podCountsBeside', () => {
  it.each<[string, number, number, number, number]>([
    ['comes on top', 4, 2, 33, 2],
    ['takes the nearest', 4, 2, 25, 1],
    ['goes no further than the surge', 10, 1, 50, 1],
    ['has no room', 4, 0, 50, 0],
    ['has nothing to be beside of', 0, 2, 50, 0],
  ])('%s', (_name, replicas, surge, weight, canary) => {
    expect(podCountsBeside({ replicas, surge }, weight)).toEqual({ canary, stable: replicas });
  });
});

describe('a weight', () => {
  it.each<[number, number, number, boolean]>([
    [1, 3, 33, true],
    [1, 3, 34, true],
    [1, 3, 35, false],
    [2, 3, 66, true],
    [0, 100, 1, false],
  ])('%i of %i pods is %i: %s', (canary, total, weight, expected) => {
    expect(isWeight({ canary, stable: total - canary }, weight)).toBe(expected);
  });

  it.each<[number, number, number, boolean, number[]]>([
    [3, 1, 10, false, [25, 33, 50]],
    [4, 0, 60, false, [25, 50, 75]],
    [1, 0, 10, false, []],
    [4, 2, 90, true, [20, 33]],
    [4, 0, 50, true, []],
  ])('%i pods, %i above, near %i (autoscaled: %s)', (replicas, surge, weight, autoscaled, near) => {
    expect(weightsNear({ replicas, surge }, weight, { autoscaled })).toEqual(near);
  });
});
