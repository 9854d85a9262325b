import type { Measurement, Measurer, Reading } from 'backstage-plugin-multicluster-release-node';
import type { Random } from './random';
import type { ReplicaClock } from './ReplicaClock';
import type { SimulatedCluster } from './SimulatedCluster';

/** Above the limit, and below it. */
export const BAD_VALUE = 7;
export const GOOD_VALUE = 0.5;

const LONGEST_WAY_MILLISECONDS = 2_000;

export interface ReadingTaken {
  cluster: string;
  version: string;
  at: number;
  result: Reading['result'];
  bad: boolean;
}

export interface SimulatedMeasurerOptions {
  clock: ReplicaClock;
  clusters: ReadonlyMap<string, SimulatedCluster>;
  random: Random;
  /** Told of every answer at the moment in which it is given. */
  onRead: (reading: ReadingTaken) => void;
}

/** What a store of measurements says of the version on a cluster: its truth, or nothing. */
export class SimulatedMeasurer implements Measurer {
  constructor(private readonly options: SimulatedMeasurerOptions) {}

  async measure({ cluster: name, version }: Measurement): Promise<Reading> {
    const { clock, clusters, random, onRead } = this.options;
    await new Promise<void>(arrive => {
      clock.after(random.between(10, LONGEST_WAY_MILLISECONDS), arrive);
    });
    const cluster = clusters.get(name);
    const bad = cluster?.readsBadly(version) === true;
    const reading = cluster?.weather.unmeasured ? this.silence() : this.value(bad);
    onRead({ cluster: name, version, at: clock.now(), result: reading.result, bad });
    return reading;
  }

  private value(bad: boolean): Reading {
    return { result: 'value', value: bad ? BAD_VALUE : GOOD_VALUE, query: 'errors' };
  }

  private silence(): Reading {
    return this.options.random.chance(0.5)
      ? { result: 'noData', message: 'no series', query: 'errors' }
      : { result: 'error', message: 'does not answer', query: 'errors' };
  }
}
