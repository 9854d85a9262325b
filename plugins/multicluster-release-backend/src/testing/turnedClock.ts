import { systemTiming, type Timing } from 'backstage-plugin-multicluster-release-node';

/** The clock of this machine, that a test can put forward: so nobody waits for hours. Timers keep their length. */
export interface TurnedClock extends Timing {
  forward(milliseconds: number): void;
}

export function turnedClock(): TurnedClock {
  let ahead = 0;
  return {
    ...systemTiming,
    now: () => systemTiming.now() + ahead,
    forward: milliseconds => {
      ahead += milliseconds;
    },
  };
}
