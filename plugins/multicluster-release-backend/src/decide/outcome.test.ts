import { outcomeOf } from './outcome';
import { Bench, planOf } from './testing';
import type { ReleaseRun } from './types';

const ANN = 'user:default/ann';
const CHOSEN = { digest: 'sha256:chosen', version: '0.9.0' };

/** By cluster: the version that the release leaves there; without those it does not write to any more. */
function outcome(run: ReleaseRun): Record<string, string | undefined> {
  return Object.fromEntries(
    [...outcomeOf(run)].map(([key, content]) => [key.split('/')[0], content?.version]),
  );
}

/** The first of two stages is done. */
function halfWay(): Bench {
  const plan = planOf([{ clusters: ['a', 'b'], gate: 'promotion' }, { clusters: ['c'] }]);
  return new Bench(plan).sees('a', { health: 'Healthy' }).sees('b', { health: 'Healthy' }).settle();
}

const order = (bench: Bench, more: Partial<NonNullable<ReleaseRun['rollback']>> = {}) =>
  Object.assign(bench.run, {
    rollback: { by: ANN, reason: 'no', since: bench.now, scope: 'touched', ...more },
  });

describe('outcomeOf', () => {
  it('is the new version everywhere, of one that is queued as of one that is half-way', () => {
    const everywhere = { a: '2.0.0', b: '2.0.0', c: '2.0.0' };
    const bench = halfWay();
    expect(outcome(bench.run)).toEqual(everywhere);
    const queued = new Bench(planOf([{ clusters: ['a', 'b', 'c'] }]));
    expect(outcome(queued.run)).toEqual(everywhere);
  });

  it.each([
    ['that is only ordered', (bench: Bench) => bench],
    ['that is under way', (bench: Bench) => bench.turn()],
  ])('of a way back %s is what was there before, and nothing where it never came', (_, go) => {
    const bench = halfWay();
    order(bench);
    expect(outcome(go(bench).run)).toEqual({ a: '1.0.0', b: '1.0.0' });
  });

  it('of a way back to versions of choice is what was chosen for each cluster', () => {
    const bench = halfWay();
    order(bench, { to: { 'a/production': CHOSEN } });
    expect(outcome(bench.run)).toEqual({ a: '0.9.0', b: '1.0.0' });
    expect(outcome(bench.turn().run)).toEqual({ a: '0.9.0', b: '1.0.0' });
  });

  it('of a way back of what failed leaves the rest at the new version', () => {
    const bench = halfWay();
    Object.assign(bench.run.targets[1], { failure: { cause: 'Health', message: '', at: 0 } });
    order(bench, { scope: 'failed' });
    expect(outcome(bench.run)).toEqual({ a: '2.0.0', b: '1.0.0' });
  });

  it('leaves out a cluster that was passed over', () => {
    const bench = new Bench(planOf([{ clusters: ['a', 'b'] }]));
    bench.run.targets[1].state = 'Skipped';
    expect(outcome(bench.run)).toEqual({ a: '2.0.0' });
  });

  it('starts on no further cluster once a person has said to stop', () => {
    const bench = halfWay();
    bench.run.aborted = { by: ANN, since: bench.now };
    expect(outcome(bench.run)).toEqual({ a: '2.0.0', b: '2.0.0' });
  });
});
