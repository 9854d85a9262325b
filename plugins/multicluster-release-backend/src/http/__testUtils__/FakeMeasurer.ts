import type { Measurement, Measurer, Reading } from 'backstage-plugin-multicluster-release-node';

/** Reads what a test says, by cluster; 0 where it says nothing. */
export class FakeMeasurer implements Measurer {
  readonly says = new Map<string, Omit<Reading, 'query'>>();
  readonly asked: Measurement[] = [];

  async measure(measurement: Measurement): Promise<Reading> {
    this.asked.push(measurement);
    const { cluster, provider } = measurement;
    const query = provider.kind === 'prometheus' ? provider.query : provider.url;
    return { result: 'value', value: 0, ...this.says.get(cluster), query } as Reading;
  }
}
