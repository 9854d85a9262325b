import type { ActionName, ActionRequest } from 'backstage-plugin-multicluster-release-common';
import { Bench, MINUTE, planOf, type StageSketch } from '../../decide/testing';
import type { ReleaseRun } from '../../decide/types';
import { actionStates, type ActionFacts } from './allowed';
import { applyOrder } from './changes';

const ANN = { ref: 'user:default/ann', memberOf: ['user:default/ann', 'group:default/sre'] };
const BOB = { ref: 'user:default/bob', memberOf: ['user:default/bob', 'group:default/shop'] };
const A = { cluster: 'a', namespace: 'production' };
const B = { cluster: 'b', namespace: 'production' };

/** On two clusters, the first of them healthy by now. */
function benchOf(first: Partial<StageSketch>, rules = {}): Bench {
  const bench = new Bench(planOf([{ clusters: ['a'], ...first }, { clusters: ['b'] }], rules));
  bench.run.startedBy = BOB.ref;
  return bench.sees('a', { health: 'Healthy' }).sees('b', { health: 'Healthy' }).settle();
}

function give(
  bench: Bench,
  action: ActionName,
  request: ActionRequest = {},
  facts: ActionFacts = { viewer: ANN },
) {
  const result = applyOrder(action, bench.run, {
    by: facts.viewer?.ref ?? 'user:default/ann',
    now: bench.now,
    request,
    facts,
  });
  if (!('refusal' in result)) {
    bench.run = result.run;
  }
  return result;
}

const hashOf = ({ plans }: ReleaseRun) => plans[0].hash;
const votesOf = ({ stages }: ReleaseRun) => stages[0].approvals?.[0].votes.map(({ by }) => by);

describe('approve', () => {
  const asked = (rule = {}) => benchOf({ after: { from: ['group:default/sre'], ...rule } });

  it.each<[string, object, ActionFacts['viewer'], string | undefined]>([
    ['whom the release asks', {}, ANN, undefined],
    ['somebody else', {}, BOB, 'NotAsked'],
    ['nobody in particular', {}, undefined, 'NotAsked'],
    ['who started it', { from: [BOB.ref] }, BOB, 'SelfApproval'],
    [
      'who started it, where that is allowed',
      { from: [BOB.ref], selfApproval: true },
      BOB,
      undefined,
    ],
    ['anybody, where nobody is named', { from: [] }, ANN, undefined],
  ])('is offered to %s', (_name, rule, viewer, reasonCode) => {
    const state = actionStates(asked(rule).run, { viewer }).approve;
    expect(state).toMatchObject(
      reasonCode ? { allowed: false, reasonCode } : { allowed: true, expectedStage: 0 },
    );
  });

  it('counts a double click once, and lets the release go on', () => {
    const bench = asked();
    const request = { planHash: hashOf(bench.run), reason: 'looks fine' };
    expect(give(bench, 'approve', request)).toMatchObject({
      events: [{ code: 'Approved', actor: ANN.ref, reason: 'looks fine' }],
    });
    expect(give(bench, 'approve', request)).toMatchObject({ events: [] });
    expect(votesOf(bench.run)).toEqual([ANN.ref]);
    expect(bench.settle().run.state).toBe('Succeeded');
  });

  it.each([
    ['without the plan that was looked at', {}],
    ['for another plan', { planHash: 'sha256:other' }],
  ])('is refused %s', (_name, request) => {
    expect(give(asked(), 'approve', request)).toMatchObject({ refusal: { code: 'PlanChanged' } });
  });

  it('is refused where nobody is asked', () => {
    const bench = benchOf({ gate: MINUTE });
    expect(give(bench, 'approve', { planHash: hashOf(bench.run) })).toMatchObject({
      refusal: { params: { reason: 'NothingToApprove' } },
    });
  });
});

describe('reject', () => {
  const reason = 'error budget is spent';

  it.each([
    ['RollbackTouched', { rollback: { by: ANN.ref, scope: 'touched' } }],
    ['RollbackStage', { rollback: { by: ANN.ref, scope: 'stage' } }],
    ['Pause', { paused: { by: ANN.ref } }],
    ['Continue', { paused: { by: ANN.ref } }],
    ['RollbackFailedOnly', { paused: { by: ANN.ref } }],
  ])('acts like a failure under %s', (onFailure, expected) => {
    const bench = benchOf({ after: {} }, { onFailure });
    give(bench, 'reject', { reason });
    expect(bench.run).toMatchObject(expected);
  });

  it('also counts after others have approved, and while the release has moved on', () => {
    const bench = benchOf({ after: {} }, {});
    give(bench, 'approve', { planHash: hashOf(bench.run) });
    bench.turn();
    expect(bench.run.stage).toBe(1);
    give(bench, 'reject', { reason, expectedStage: 0 });
    expect(bench.run.rollback?.reason).toContain(reason);
  });

  it('is for those who are asked', () => {
    const bench = benchOf({ after: { from: ['group:default/sre'] } });
    expect(give(bench, 'reject', { reason }, { viewer: BOB })).toMatchObject({
      refusal: { params: { reason: 'NotAsked' } },
    });
  });
});

describe('skips', () => {
  it('end a cool-down of the stage, and of a cluster', () => {
    for (const first of [{ gate: 60 * MINUTE }, { soakEach: 60 * MINUTE }]) {
      const bench = benchOf(first);
      expect(bench.run.stage).toBe(0);
      expect(actionStates(bench.run)['skip-wait']).toMatchObject({ allowed: true });
      give(bench, 'skip-wait', { expectedStage: 0 });
      expect(bench.settle().run.state).toBe('Succeeded');
      expect(bench.run.stages[0].skipped).toMatchObject([{ by: ANN.ref }]);
    }
  });

  it('let a question go, and name it where there are several', () => {
    const bench = benchOf({ after: {} });
    expect(give(bench, 'skip-gate', { gate: '9.9' })).toMatchObject({
      refusal: { params: { gates: '0.4' } },
    });
    give(bench, 'skip-gate', { reason: 'nobody is awake' });
    expect(bench.settle().run.state).toBe('Succeeded');
  });

  it('take out named clusters only, and stop counting them as failed', () => {
    const bench = new Bench(
      planOf([{ clusters: ['a'] }, { clusters: ['b'] }], { onFailure: 'Pause' }),
    );
    bench.sees('a', { health: 'Healthy' }).settle();
    bench.sees('b', { health: 'Failed' }).turn();
    expect(bench.run.overBudget).toBeDefined();
    expect(give(bench, 'skip-cluster')).toMatchObject({ refusal: { code: 'NotAllowed' } });
    expect(give(bench, 'skip-cluster', { targets: [A] })).toMatchObject({ refusal: {} });
    give(bench, 'skip-cluster', { targets: [B], reason: 'is being rebuilt' });
    bench.turn();
    expect(bench.states()).toEqual({ a: 'Done', b: 'RollingBack' });
    bench.sees('b', { health: 'Healthy' }).settle();
    expect(bench.states()).toEqual({ a: 'Done', b: 'RolledBack' });
    expect(bench.run.state).toBe('Succeeded');
  });
});

describe('rollback of a release under way', () => {
  it('sends chosen clusters back and goes on with the others', () => {
    const bench = benchOf({ gate: 'promotion' });
    give(bench, 'rollback', { targets: [A], reason: 'too slow there' });
    // Nothing else was written: that is the whole release.
    expect(bench.run.rollback?.reason).toBe('too slow there');

    const two = new Bench(planOf([{ clusters: ['a', 'b'], gate: 'promotion' }]));
    two.sees('a', { health: 'Healthy' }).sees('b', { health: 'Healthy' }).settle();
    give(two, 'rollback', { targets: [A] });
    two.settle();
    expect(two.states()).toEqual({ a: 'RolledBack', b: 'Done' });
    expect(two.run.rollback).toBeUndefined();
    expect(two.decision?.hold).toBeUndefined();
  });

  it('counts a second click on chosen clusters for nothing', () => {
    const two = new Bench(planOf([{ clusters: ['a', 'b'], gate: 'promotion' }]));
    two.sees('a', { health: 'Healthy' }).sees('b', { health: 'Healthy' }).settle();
    expect(give(two, 'rollback', { targets: [A] })).toMatchObject({ events: [{}] });
    expect(give(two, 'rollback', { targets: [A] })).toMatchObject({ events: [] });
    two.settle();
    expect(give(two, 'rollback', { targets: [A] })).toMatchObject({ events: [] });
  });

  it('goes to a version of choice, from its recorded content', () => {
    const bench = benchOf({ gate: 'promotion' });
    const wanted = { digest: '0.9.0@a', version: '0.9.0' };
    const order = {
      by: ANN.ref,
      now: bench.now,
      request: { toVersion: '0.9.0' },
      contents: new Map([['a/production', wanted]]),
    };
    const result = applyOrder('rollback', bench.run, order);
    bench.run = 'refusal' in result ? bench.run : result.run;
    expect(bench.turn().effects).toMatchObject([{ kind: 'apply', digest: wanted.digest }]);
    expect(
      applyOrder('rollback', benchOf({ gate: 'promotion' }).run, { ...order, contents: new Map() }),
    ).toMatchObject({
      refusal: { code: 'NothingToRollBack', params: { version: '0.9.0' } },
    });
  });
});
