import { metricGatesOf } from '../../hooks';
import { exampleMeasuredPlan, exampleMeasurement, exampleRule } from '../../testing';
import { seriesOf } from './series';

const RULE = exampleRule();

describe('seriesOf', () => {
  it('puts the worst first, and has those that were not read yet', () => {
    const clusters = ['fine', 'close', 'missing', 'silent', 'broken', 'was-bad', 'bad', 'worse'];
    const [gate] = metricGatesOf(exampleMeasuredPlan([RULE], clusters));
    const readings = [
      exampleMeasurement({ id: 1, cluster: 'fine', value: 0.1 }),
      exampleMeasurement({ id: 2, cluster: 'close', value: 0.9 }),
      exampleMeasurement({ id: 3, cluster: 'silent', result: 'noData', value: undefined }),
      exampleMeasurement({ id: 4, cluster: 'broken', result: 'error', value: undefined }),
      exampleMeasurement({ id: 5, cluster: 'was-bad', result: 'bad', value: 4 }),
      exampleMeasurement({ id: 6, cluster: 'was-bad', value: 0.1 }),
      exampleMeasurement({ id: 7, cluster: 'bad', result: 'bad', value: 2 }),
      exampleMeasurement({ id: 8, cluster: 'worse', result: 'bad', value: 9 }),
      exampleMeasurement({ id: 9, cluster: 'fine', value: 99, metric: 'latency' }),
    ];
    const series = seriesOf(gate, RULE, readings);
    expect(series.map(({ target }) => target.cluster)).toEqual([
      'worse',
      'bad',
      'was-bad',
      'broken',
      'silent',
      'missing',
      'close',
      'fine',
    ]);
    expect(series.map(each => each.readings.length)).toEqual([1, 1, 2, 1, 1, 0, 1, 1]);
  });

  it('leaves less room to what is nearer to a lower limit', () => {
    const rule = exampleRule({ limit: { min: 99 } });
    const [gate] = metricGatesOf(exampleMeasuredPlan([rule], ['high', 'low']));
    const readings = [
      exampleMeasurement({ id: 1, cluster: 'high', value: 99.9 }),
      exampleMeasurement({ id: 2, cluster: 'low', value: 99.1 }),
    ];
    expect(seriesOf(gate, rule, readings).map(({ key }) => key)).toEqual([
      'low/production',
      'high/production',
    ]);
  });

  it('keeps what was read where the plan does not go any more', () => {
    const [gate] = metricGatesOf(exampleMeasuredPlan([RULE]));
    const series = seriesOf(gate, RULE, [exampleMeasurement({ cluster: 'left' })]);
    expect(series.map(({ key }) => key)).toEqual(['cluster-a/production', 'left/production']);
  });
});
