import { ConfigReader } from '@backstage/config';
import { ManualTiming } from '../../clusters/testing/ManualTiming';
import type { Measurement, Reading } from '../../ports';
import { createMeasurer, type MeasurerService } from '../createMeasurer';

/** On cluster eu-1, where 3.9.0 ran before 4.0.0. */
export function measurementOf(
  provider: Measurement['provider'],
  more: Partial<Measurement> = {},
): Measurement {
  return {
    cluster: 'eu-1',
    namespace: 'shop',
    version: '4.0.0',
    stableVersion: '3.9.0',
    windowMilliseconds: 60_000,
    provider,
    ...more,
  };
}

/** Measurers of one test file, which end with `close`. */
export class Measurers {
  private readonly open: MeasurerService[] = [];

  make(metrics: object, timing = new ManualTiming()): MeasurerService {
    const measurer = createMeasurer({
      config: new ConfigReader({ multiclusterRelease: { metrics: metrics as {} } }),
      timing,
    });
    this.open.push(measurer);
    return measurer;
  }

  /** One reading of a measurer that is made for it. */
  read(metrics: object, measurement: Measurement): Promise<Reading> {
    return this.make(metrics).measure(measurement, new AbortController().signal);
  }

  async close(): Promise<void> {
    await Promise.all(this.open.splice(0).map(measurer => measurer.close()));
  }
}
