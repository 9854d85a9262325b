import { LeaseFence } from './fence';

const lease = (until: number) => ({ releaseId: 'r1', holder: 'replica-1', ticket: 1, until });

describe('LeaseFence', () => {
  let wall = 1_000_000;
  let steady = 50_000;
  const clock = { now: () => wall, after: () => () => {} };
  const fence = () => new LeaseFence(lease(wall + 60_000), clock, () => steady);

  it.each([
    ['a request that ends in time may start', () => {}, 10_000, true],
    ['one that could end after the lease may not', () => {}, 60_000, false],
    ['time passes', () => [(wall += 55_000), (steady += 55_000)], 10_000, false],
    ['a machine that slept: only the wall clock went on', () => (wall += 70_000), 10_000, false],
    ['a clock that was set back', () => [(wall -= 3_600_000), (steady += 55_000)], 10_000, false],
  ])('%s', (_name, happens, timeout, expected) => {
    const opened = fence();
    happens();
    expect(opened.mayWrite(timeout)).toBe(expected);
  });

  it('goes on with a renewed lease, and never after it was closed', () => {
    const opened = fence();
    wall += 55_000;
    steady += 55_000;
    opened.extend(wall + 60_000);
    expect(opened.mayWrite(10_000)).toBe(true);
    opened.close();
    expect(opened.mayWrite(0)).toBe(false);
    expect(opened.signal.aborted).toBe(true);
  });
});
