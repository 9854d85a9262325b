import type { MetricRule, PlanRules } from 'backstage-plugin-multicluster-release-common';
import type { SingleReading } from 'backstage-plugin-multicluster-release-node';
import { Bench, MINUTE, planOf } from './testing';

const NO_DATA = { result: 'noData', message: 'no requests' } as const;
const ERROR = { result: 'error', message: 'prometheus answers 503' } as const;

/** cluster `a` first, watched for five minutes; then `b`. */
function watched(rule: Partial<MetricRule> = {}, rules: Partial<PlanRules> = {}): Bench {
  const stages = [{ clusters: ['a'], gate: 5 * MINUTE, metrics: [rule] }, { clusters: ['b'] }];
  const bench = new Bench(planOf(stages, rules));
  return bench.sees('a', { health: 'Healthy' }).sees('b', { health: 'Healthy' }).settle();
}

type Say = Parameters<Bench['reads']>[0];

/** One reading each minute, in this order. */
function minutes(bench: Bench, ...says: Say[]): Bench {
  for (const say of says) {
    bench.turn(MINUTE).reads(say).settle();
  }
  return bench;
}

const passed = (bench: Bench) => bench.run.stage > 0;

describe('a metric gate', () => {
  it('reads first after its delay, then at each interval, and once at a time', () => {
    const bench = watched();
    expect(bench.due).toEqual([]);
    expect(bench.decision?.wakeAt).toBe(bench.now + MINUTE);
    bench.turn(MINUTE).turn().turn(MINUTE);
    expect(bench.due).toHaveLength(1);
    expect(bench.due[0]).toMatchObject({
      cluster: 'a',
      name: 'error_rate',
      version: '2.0.0',
      stableVersion: '1.0.0',
      windowMilliseconds: MINUTE,
    });
    bench.reads(0.5).turn();
    expect(bench.due).toHaveLength(1);
  });

  it('passes when its cool-down is over and all planned readings were good, the limit too', () => {
    const bench = minutes(watched(), 0, 1, 0.5, 0.9);
    expect(passed(bench)).toBe(false);
    expect(bench.run.waiting).toMatchObject([
      { code: 'soak' },
      { code: 'metric', params: { metric: 'error_rate', cluster: 'a', done: 4, need: 5 } },
    ]);
    expect(passed(minutes(bench, 1))).toBe(true);
    expect(bench.measurements).toHaveLength(5);
    expect(bench.measurements[0]).toMatchObject({
      stage: 0,
      metric: 'error_rate',
      result: 'good',
      value: 0,
      query: 'q',
    });
  });

  it('sends back what reads badly, and names the value and its limit', () => {
    const bench = minutes(watched(), 0.2, 3.5);
    expect(bench.run.state).toBe('RolledBack');
    expect(bench.run.targets[0].failure).toMatchObject({
      cause: 'MetricFailed',
      message: 'error_rate is 3.5%, and must be at most 1% (1 bad)',
    });
    expect(bench.applied()).toEqual(['a']);
    expect(minutes(bench, 0).due).toEqual([]);
  });

  it('bears as many bad readings as it may, and then needs as many fewer', () => {
    const bench = minutes(watched({ failureLimit: 1 }), 0, 2, 0, 0);
    expect(bench.run.state).not.toBe('RolledBack');
    expect(passed(minutes(bench, 0))).toBe(true);
    const second = minutes(watched({ failureLimit: 1 }), 0, 2, 2);
    expect(second.run.state).toBe('RolledBack');
  });

  it('takes a lower limit where there is one', () => {
    const bench = minutes(watched({ limit: { min: 99 } }), 99, 98.9);
    expect(bench.run.targets[0].failure?.message).toContain('at least 99%');
  });

  it('pauses instead where the policy has no rollback on metrics', () => {
    const bench = minutes(watched({}, { rollbackOn: ['HealthFailed'] }), 7);
    expect(bench.run.state).toBe('Waiting');
    expect(bench.run.waiting[0].code).toBe('budget');
    expect(bench.states().a).toBe('Failed');
  });

  describe('without an answer that says something', () => {
    it.each([
      ['no data', NO_DATA],
      ['an error', ERROR],
      ['too few requests', { result: 'value', value: 0, samples: 19 } as const],
      ['requests that nobody counted', 0],
    ])('does not pass on %s, and takes the reading again', (_name, say) => {
      const bench = minutes(watched({ minSamples: 20 }), say, say, say, say, say, say);
      expect(passed(bench)).toBe(false);
      const undecided = say === ERROR;
      expect(bench.run.state).toBe(undecided ? 'Waiting' : 'Progressing');
      expect(bench.run.waiting[0].code).toBe(undecided ? 'metric.undecided' : 'metric.nodata');
      const enough = { result: 'value', value: 0, samples: 20 } as const;
      expect(passed(minutes(bench, enough, enough, enough, enough, enough))).toBe(true);
    });

    it('asks a person after one more cool-down', () => {
      const bench = minutes(watched(), NO_DATA, NO_DATA, NO_DATA, NO_DATA, NO_DATA);
      expect(bench.run.waiting[0]).toMatchObject({ code: 'metric.nodata' });
      const until = bench.run.waiting[0].until as number;
      expect(until).toBe(bench.now + 5 * MINUTE);
      minutes(bench, NO_DATA, NO_DATA, NO_DATA, NO_DATA, NO_DATA);
      expect(bench.run.waiting[0]).toMatchObject({
        code: 'metric.undecided',
        params: { why: 'no requests' },
      });
      expect(bench.run.state).toBe('Waiting');
    });

    it.each([
      ['pass', true, 'Progressing'],
      ['fail', false, 'RolledBack'],
    ] as const)('does what noData says: %s', (noData, passes, state) => {
      const bench = minutes(watched({ noData, count: 2 }), NO_DATA, NO_DATA, 0, 0, 0);
      expect([passed(bench), bench.run.state === state || passes]).toEqual([passes, true]);
    });
  });

  it('goes on as a guard: what reads badly later fails too, once it is more than the limit in a row', () => {
    const rule = { failureLimit: 1 };
    const stages = [
      { clusters: ['a'], gate: MINUTE, metrics: [rule] },
      { clusters: ['b'], gate: 'promotion' as const },
    ];
    const bench = new Bench(planOf(stages));
    bench.sees('a', { health: 'Healthy' }).sees('b', { health: 'Healthy' }).settle();
    minutes(bench, 0);
    expect(bench.run.stage).toBe(1);
    minutes(bench, 5, 0, 5, 0);
    expect(bench.run.state).toBe('Waiting');
    minutes(bench, 5, 5);
    expect(bench.run.state).toBe('RolledBack');
    expect(bench.run.targets[0].failure?.cause).toBe('MetricFailed');
  });

  describe('that compares', () => {
    const STABLE = { with: 'stable', maxIncrease: { percent: 50 } } as const;
    const reading = (value: number, baseline: SingleReading) =>
      ({ result: 'value', value, baseline } as const);
    const other = (value: number) => ({ result: 'value', value, query: 'other' } as const);

    it('with the stable version sends back what is too much higher, and keeps both readings', () => {
      const bench = minutes(watched({ compare: STABLE }), reading(0.5, other(0.4)));
      expect(bench.due).toEqual([]);
      minutes(bench, reading(0.9, other(0.4)));
      expect(bench.run.state).toBe('RolledBack');
      expect(bench.run.targets[0].failure?.message).toBe(
        'error_rate is 0.9%, and must be at most 1%; at most 0.6% beside 0.4% of the stable version now (1 bad)',
      );
      expect(bench.measurements).toMatchObject([
        { result: 'good', value: 0.5, query: 'q', baseline: 0.4, baselineQuery: 'other' },
        { result: 'bad', value: 0.9, query: 'q', baseline: 0.4, baselineQuery: 'other' },
      ]);
    });

    it('does not pass while what it compares with is not known', () => {
      const unknown = reading(0, { ...NO_DATA, query: 'other' });
      const bench = watched({ compare: STABLE, noData: 'pass' });
      minutes(bench, unknown, unknown, unknown, unknown, unknown, unknown);
      expect(passed(bench)).toBe(false);
      expect(bench.run.waiting[0]).toMatchObject({
        code: 'metric.nodata',
        params: { why: 'the value of the stable version now is not known: no requests' },
      });
      expect(bench.measurements[0]).toMatchObject({ result: 'noData', value: 0 });
      expect(bench.measurements[0].baseline).toBeUndefined();
    });

    it('asks for the moment in which the stage began', () => {
      const compare = { with: 'before', maxIncrease: { by: 1 } } as const;
      const bench = watched({ compare }).turn(MINUTE);
      const { startedAt } = bench.run.stages[0];
      expect(startedAt).toBeLessThan(bench.now);
      expect(bench.due).toMatchObject([{ comparison: { with: 'before', at: startedAt } }]);
    });

    it('asks in a stage that only watches for the moment before the version came', () => {
      const compare = { with: 'before', maxIncrease: { by: 1 } } as const;
      const bench = new Bench(
        planOf([
          { clusters: ['a'], gate: MINUTE },
          { clusters: [], gate: MINUTE, metrics: [{ compare }] },
        ]),
      );
      bench.sees('a', { health: 'Healthy' }).settle().turn(MINUTE).settle().turn(MINUTE);
      expect(bench.run.stage).toBe(1);
      const [{ startedAt }] = bench.run.stages;
      expect(bench.due).toMatchObject([{ comparison: { at: startedAt } }]);
    });
  });

  it('begins with clean counters where a cluster is tried again', () => {
    const bench = minutes(watched({ failureLimit: 1 }, { retries: 1 }), 2, 2);
    expect(bench.states().a).not.toBe('Failed');
    bench.settle();
    const { metrics } = bench.run.stages[0];
    const [counters] = Object.values(metrics ?? {});
    minutes(bench, 0);
    expect(counters.bad).toBeLessThanOrEqual(2);
    expect(Object.values(bench.run.stages[0].metrics ?? {})).toMatchObject([{ bad: 0, good: 1 }]);
  });

  it('counts no answer that was asked for before the counters began anew', () => {
    const bench = watched();
    bench.turn(MINUTE);
    const [{ id, since }] = bench.due;
    expect(since).toBe(bench.run.stages[0].gateAt);
    bench.run.stages[0].metrics = {};
    bench.run.stages[0].gateAt = bench.now;
    bench.reads(99).turn();
    expect(bench.run.targets[0].failure).toBeUndefined();
    expect(id).toContain('error_rate@a');
  });

  it('holds nothing any more once a person lets it go', () => {
    const bench = minutes(watched(), 0, NO_DATA, NO_DATA, NO_DATA);
    const { steps } = bench.run.plans[0].stages[0];
    const gate = steps.find(({ metrics }) => metrics !== undefined);
    bench.run.stages[0].skipped = [
      { stepId: gate?.id ?? '', by: 'user:default/ann', at: bench.now, reason: 'known outage' },
    ];
    expect(passed(minutes(bench, 99))).toBe(true);
    expect(bench.due).toEqual([]);
  });
});
