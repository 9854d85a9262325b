import type { ActionName, ActionRequest } from 'backstage-plugin-multicluster-release-common';
import { Bench, MINUTE, planOf, type StageSketch } from '../../decide/testing';
import type { ReleaseRun } from '../../decide/types';
import { actionStates, type ActionFacts } from './allowed';
import { applyOrder } from './changes';
import { skipGate } from './orders/skipGate';

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

  const BOT = { ref: 'external:ci', memberOf: [], isService: true };

  it.each<[string, object, ActionFacts, string | undefined]>([
    ['a service where nobody is named', { from: [] }, { viewer: BOT }, 'NotAsked'],
    ['a service that is named', { from: [BOT.ref] }, { viewer: BOT }, undefined],
    [
      'a service that called for who started it',
      { from: [BOT.ref] },
      { viewer: BOT, starters: [BOT.ref, BOB.ref] },
      'SelfApproval',
    ],
    [
      'whom a service called for',
      { from: [] },
      { viewer: ANN, starters: [BOT.ref, ANN.ref] },
      'SelfApproval',
    ],
  ])('tells %s', (_name, rule, facts, reasonCode) => {
    const state = actionStates(asked(rule).run, facts).approve;
    expect([state.allowed, state.reasonCode]).toEqual([reasonCode === undefined, reasonCode]);
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

describe('promote, where nothing waits for it', () => {
  it.each<[name: string, first: Partial<StageSketch>, code: string, wayOut: ActionName]>([
    ['while the stage is observed', { gate: 60 * MINUTE }, 'Observing', 'skip-wait'],
    ['while its clusters are observed', { soakEach: 60 * MINUTE }, 'Observing', 'skip-wait'],
    ['while somebody is asked', { after: { from: [] } }, 'AwaitsApproval', 'approve'],
  ])('names the way on %s', (_name, first, code, wayOut) => {
    const bench = benchOf(first);
    const states = actionStates(bench.run, { viewer: ANN });
    expect(states.promote).toMatchObject({
      allowed: false,
      reasonCode: code,
      params: { stage: bench.run.plans[0].stages[0].name },
    });
    expect(states[wayOut].allowed).toBe(true);
    expect(give(bench, 'promote', { expectedStage: 0 })).toMatchObject({
      refusal: { params: { reason: code } },
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

  it.each<[string, object, ActionFacts['viewer'], string | undefined]>([
    ['whom the release asks', { from: ['group:default/sre'] }, ANN, undefined],
    ['somebody else', { from: ['group:default/sre'] }, BOB, 'NotAsked'],
    ['who started it', { from: [] }, BOB, 'SelfApproval'],
    ['who started it, where that is allowed', { selfApproval: true }, BOB, undefined],
    ['the platform', { from: ['group:default/sre'] }, { ...BOB, isPlatform: true }, undefined],
  ])('of an approval are for %s by the rules of the approval', (_name, rule, viewer, why) => {
    const bench = benchOf({ after: rule });
    const state = actionStates(bench.run, { viewer })['skip-gate'];
    expect([state.allowed, state.reasonCode]).toEqual([why === undefined, why]);
    const given = give(bench, 'skip-gate', { reason: 'nobody is awake' }, { viewer });
    expect('refusal' in given).toBe(why !== undefined);
    // Also where the page of the caller did not know it.
    const order = { by: BOB.ref, now: bench.now, request: {}, facts: { viewer } };
    expect(skipGate(benchOf({ after: rule }).run, order)?.params?.reason).toBe(why);
  });

  it('hold only for the clusters that are at that step, and for this attempt', () => {
    const plan = planOf([{ clusters: ['a', 'b'], concurrency: 1, soakEach: 60 * MINUTE }], {
      onFailure: 'Pause',
    });
    const bench = new Bench(plan).sees('a', { health: 'Healthy' }).sees('b', { health: 'Healthy' });
    bench.settle();
    give(bench, 'skip-wait');
    bench.settle();
    expect(bench.states()).toEqual({ a: 'Done', b: 'Soaking' });
    expect(bench.run.stages[0].skipped).toMatchObject([{ keys: [bench.run.targets[0].key] }]);
    bench.sees('a', { health: 'Failed' }).turn();
    give(bench, 'retry');
    expect(bench.run.stages[0].skipped).toEqual([]);
    bench
      .sees('a', { health: 'Healthy' })
      .turn(60 * MINUTE)
      .settle();
    expect(bench.states()).toEqual({ a: 'Soaking', b: 'Done' });
  });

  it('of Jobs let those go that run now, and no later ones', () => {
    const jobs = [{ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'smoke' } }];
    const bench = new Bench(planOf([{ clusters: ['a', 'b'], concurrency: 1, jobs }]));
    bench.sees('a', { health: 'Healthy' }).sees('b', { health: 'Healthy' });
    while (actionStates(bench.run)['skip-gate'].allowed !== true) {
      bench.turn().finish();
    }
    give(bench, 'skip-gate', { reason: 'the test is broken' });
    const ran: string[] = [];
    while (bench.turn().effects.length > 0) {
      bench.effects.forEach(({ kind, target }) => ran.push(`${kind} ${target.cluster}`));
      bench.finish();
    }
    expect(bench.run.state).toBe('Succeeded');
    expect(ran).toContain('analyse b');
    expect(ran).not.toContain('analyse a');
  });

  it('of older records, without clusters, hold for all', () => {
    const plan = planOf([{ clusters: ['a', 'b'], concurrency: 1, soakEach: 60 * MINUTE }]);
    const bench = new Bench(plan).sees('a', { health: 'Healthy' }).sees('b', { health: 'Healthy' });
    const { id } = plan.stages[0].steps.find(({ wait }) => wait?.for === 'soak')!;
    bench.run.stages[0].skipped = [{ stepId: id, by: ANN.ref, at: bench.now }];
    expect(bench.settle().run.state).toBe('Succeeded');
  });

  it('say that nothing is open, where nothing is', () => {
    const { run } = benchOf({ gate: MINUTE });
    const order = { by: ANN.ref, now: 0, request: { gate: '0.4' } };
    expect(skipGate(run, order)).toMatchObject({ message: 'No gate is open now.' });
  });

  it.each([
    ['rollback', true, 'IsRollback'],
    ['removal', false, 'IsRemoval'],
  ])('leave no cluster out of a %s', (_name, brings, reasonCode) => {
    const plan = planOf([{ clusters: ['a', 'b'] }]);
    const targets = plan.targets.map(target => (brings ? target : { ...target, to: undefined }));
    const bench = new Bench({ ...plan, kind: 'rollback', targets }).turn();
    expect(actionStates(bench.run)['skip-cluster']).toMatchObject({ allowed: false, reasonCode });
    expect(give(bench, 'skip-cluster', { targets: [A] })).toMatchObject({
      refusal: { params: { reason: reasonCode } },
    });
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

describe('a new attempt', () => {
  const crashed = (first: Partial<StageSketch>) => {
    const bench = benchOf(first, { onFailure: 'Pause' });
    give(bench, 'approve', { planHash: hashOf(bench.run) });
    give(bench, 'promote');
    bench.sees('a', { health: 'Failed' }).turn();
    expect(bench.run.overBudget).toBeDefined();
    return bench;
  };

  it.each<[string, Partial<StageSketch>, string]>([
    ['an approval', { gate: MINUTE, after: {} }, 'approval'],
    ['a promotion', { gate: 'promotion', after: {} }, 'promote'],
  ])('does not pass with %s that was given before', (_name, first, code) => {
    const bench = crashed(first);
    expect(give(bench, 'retry')).toMatchObject({
      events: [{ code: 'RetryRequested' }, { code: 'AnswersVoid', stage: 0 }, {}],
    });
    bench
      .sees('a', { health: 'Healthy' })
      .settle()
      .turn(2 * MINUTE);
    expect(bench.run.stage).toBe(0);
    expect(bench.run.waiting.map(each => each.code)).toContain(code);
    give(bench, 'approve', { planHash: hashOf(bench.run) });
    give(bench, 'promote');
    expect(bench.settle().run.state).toBe('Succeeded');
  });

  it('does not pass a gate that was let go for the last one', () => {
    const bench = benchOf({ gate: MINUTE, after: {} }, { onFailure: 'Pause' });
    give(bench, 'skip-gate', { reason: 'nobody is awake' });
    bench.sees('a', { health: 'Failed' }).turn();
    give(bench, 'retry');
    bench
      .sees('a', { health: 'Healthy' })
      .settle()
      .turn(2 * MINUTE);
    expect(bench.run.stage).toBe(0);
  });

  it('keeps what was answered before the first cluster', () => {
    const bench = new Bench(planOf([{ clusters: ['a'], before: {} }], { onFailure: 'Pause' }));
    bench.turn();
    give(bench, 'approve', { planHash: hashOf(bench.run) });
    bench.sees('a', { health: 'Failed' }).settle();
    expect(give(bench, 'retry')).toMatchObject({ events: [{ code: 'RetryRequested' }, {}] });
    expect(bench.sees('a', { health: 'Healthy' }).settle().run.state).toBe('Succeeded');
  });

  it('is not what a new holder of the lease does: answers stand', () => {
    const bench = benchOf({ gate: MINUTE, after: {} });
    give(bench, 'approve', { planHash: hashOf(bench.run) });
    bench.ticket = 2;
    bench.sees('a', { health: 'Healthy', stamp: { sequence: 5, ticket: 0 } }).turn(10_000);
    expect(bench.states()).toMatchObject({ a: 'Applying' });
    bench
      .finish()
      .sees('a', { health: 'Healthy' })
      .settle()
      .turn(2 * MINUTE)
      .settle();
    expect(bench.run.state).toBe('Succeeded');
  });
});

describe('rollback of a release under way', () => {
  it('sends chosen clusters back and goes on with the others', () => {
    const two = new Bench(planOf([{ clusters: ['a', 'b'], gate: 'promotion' }]));
    two.sees('a', { health: 'Healthy' }).sees('b', { health: 'Healthy' }).settle();
    give(two, 'rollback', { targets: [A] });
    two.settle();
    expect(two.states()).toEqual({ a: 'RolledBack', b: 'Done' });
    expect(two.run.rollback).toBeUndefined();
    expect(two.decision?.hold).toBeUndefined();
  });

  it('holds nothing where one after the other was chosen, and ends as rolled back', () => {
    const bench = new Bench(planOf([{ clusters: ['a'], gate: 'promotion' }]));
    bench.sees('a', { health: 'Healthy' }).settle();
    give(bench, 'rollback', { targets: [A], reason: 'too slow there' });
    bench.settle();
    give(bench, 'promote', { expectedStage: bench.run.stage });
    bench.settle();
    expect(bench.states()).toEqual({ a: 'RolledBack' });
    expect(bench.run.state).toBe('RolledBack');
    expect(bench.run.rollback).toBeUndefined();
    expect(bench.decision?.hold).toBeUndefined();
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
