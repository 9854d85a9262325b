import { onlyWaits, type WaitingCode } from './states';

describe('onlyWaits', () => {
  it.each<[codes: WaitingCode[], waits: boolean]>([
    [['stopall'], true],
    [['stopall', 'ready'], false],
    [['paused', 'ready'], true],
    [['budget', 'ready'], true],
    [['approval'], true],
    [['promote'], true],
    [['window'], true],
    [['freeze'], true],
    [['cordoned'], true],
    [['dependsOn'], true],
    [['unreachable'], true],
    [['changed'], true],
    [['retry'], true],
    [['soak'], true],
    [['soak', 'soak'], true],
    [['metric.undecided'], true],
    [['metric.undecided', 'metric', 'soak'], true],
    [['soak', 'ready'], false],
    [['unreachable', 'ready'], false],
    [['changed', 'ready'], false],
    [['slot', 'ready'], false],
    [['ready'], false],
    [['metric'], false],
    [['metric.nodata'], false],
    [['stage'], false],
    [[], false],
  ])('%j: %s', (codes, waits) => {
    expect(onlyWaits(codes)).toBe(waits);
  });
});
