import { Bench, MINUTE, planOf } from './testing';

const ANN = 'user:default/ann';
const kinds = (bench: Bench) =>
  bench.effects.map(({ kind, target }) => `${kind} ${target.cluster}`);

/** cluster a at 25 %, then both in full, one at a time. */
function canary(rules = {}) {
  const stages = [
    { clusters: ['a'], weight: 25, gate: 10 * MINUTE },
    { clusters: ['a', 'b'], concurrency: 1 },
  ];
  return new Bench(planOf(stages, rules));
}

describe('a stage that brings a weight', () => {
  it('rests at it, is watched as a copy, and is taken to the full version by the last stage', () => {
    const bench = canary().turn();
    expect(kinds(bench.finish().turn())).toEqual(['weight a']);
    expect(bench.effects[0].weight).toEqual({ percent: 25, approximate: false });
    bench.sees('a', { health: 'Healthy' }).settle();
    expect(bench.states()).toEqual({ a: 'Soaking', b: 'Pending' });
    expect(bench.run.targets[0].weight).toEqual({ wanted: 25, reached: 25, pods: 1 });
    expect(bench.decision?.observe).toMatchObject([{ key: 'a/production', weighted: true }]);
    expect(bench.run).toMatchObject({ state: 'Waiting', waiting: [{ code: 'soak' }] });

    bench.turn(10 * MINUTE);
    expect(kinds(bench)).toEqual(['check a']);
    expect(kinds(bench.finish().turn())).toEqual(['apply a']);
    expect(bench.decision?.observe).toMatchObject([{ key: 'a/production', weighted: undefined }]);
    bench.sees('b', { health: 'Healthy' }).settle();
    expect(bench.states()).toEqual({ a: 'Done', b: 'Done' });
    expect(bench.run.state).toBe('Succeeded');
    expect(bench.run.targets[0].weight).toBeUndefined();
  });

  it('takes pods again each time that the new ones are ready, up to its weight', () => {
    const outcome = (fresh: number, partial?: true) => {
      const pods = { canary: fresh, stable: 4 - fresh };
      const data = { kind: 'weight' as const, inventory: [], pods, reached: 25 * fresh, partial };
      return { a: { result: 'done' as const, data } };
    };
    const bench = canary().turn();
    bench.finish().turn().finish(outcome(1, true)).turn();
    expect(kinds(bench)).toEqual([]);
    expect(
      bench
        .sees('a', { health: 'Progressing', pods: 1 })
        .turn(MINUTE / 60)
        .states().a,
    ).toBe('Verifying');
    bench.sees('a', { health: 'Healthy', pods: 1 }).turn(1_000);
    expect(kinds(bench)).toEqual(['weight a']);
    bench.finish(outcome(2)).turn();
    // What is seen is still the one pod of before.
    expect(bench.turn(1_000).states().a).toBe('Verifying');
    bench.sees('a', { health: 'Healthy', pods: 2 }).turn(1_000);
    expect(bench.states().a).toBe('Soaking');
    expect(bench.run.targets[0].weight).toEqual({ wanted: 25, reached: 50, pods: 2 });
    expect(bench.events.filter(({ code }) => code === 'TargetHealthy')).toHaveLength(1);
  });

  it('goes back where the first new pods of a weight fail', () => {
    const bench = canary().turn();
    const pods = { canary: 1, stable: 4 };
    const data = {
      kind: 'weight' as const,
      inventory: [],
      pods,
      reached: 20,
      partial: true as const,
    };
    bench
      .finish()
      .turn()
      .finish({ a: { result: 'done', data } });
    expect(bench.sees('a', { health: 'Failed', pods: 1 }).turn().run.state).toBe('RollingBack');
  });

  it('goes back where the copy fails while it rests', () => {
    const bench = canary();
    bench.sees('a', { health: 'Healthy' }).settle();
    expect(bench.sees('a', { health: 'Failed' }).turn().run.state).toBe('RollingBack');
    expect(kinds(bench)).toEqual(['apply a']);
  });

  it('does not stay at a weight when the release is stopped', () => {
    const bench = canary();
    bench.sees('a', { health: 'Healthy' }).settle();
    bench.run.aborted = { by: ANN, since: bench.now };
    bench.turn().settle();
    expect(bench.states()).toEqual({ a: 'RolledBack', b: 'Skipped' });
    expect(bench.run.state).toBe('Aborted');
  });

  it('does not stay at a weight when only failed clusters go back', () => {
    const bench = new Bench(
      planOf([{ clusters: ['a', 'b'], weight: 25, gate: MINUTE }, { clusters: ['a', 'b'] }], {
        onFailure: 'RollbackFailedOnly',
      }),
    );
    bench.sees('a', { health: 'Healthy' }).sees('b', { health: 'Healthy' }).settle();
    bench.sees('b', { health: 'Failed' }).turn().sees('b', { health: 'Healthy' });
    for (let turns = 0; turns < 10; turns++) {
      bench.settle();
    }
    expect(bench.states()).toEqual({ a: 'RolledBack', b: 'RolledBack' });
    expect(bench.run.state).toBe('Failed');
  });

  it('waits for its own gate although clusters of the next stage are there already', () => {
    const bench = canary();
    bench.sees('a', { health: 'Healthy' }).settle();
    expect(bench.turn(MINUTE).run.stage).toBe(0);
    expect(kinds(bench)).toEqual([]);
  });

  it('writes its stamp again under a new claim while it rests', () => {
    const bench = canary();
    bench.sees('a', { health: 'Healthy' }).settle();
    bench.sees('a', { health: 'Healthy', stamp: { sequence: 4, ticket: 1 } }).turn(5_000);
    expect(kinds(bench)).toEqual(['weight a']);
  });
});
