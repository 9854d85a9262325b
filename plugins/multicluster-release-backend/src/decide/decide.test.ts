import {
  compileRollback,
  type ContentRef,
  type PlanRules,
} from 'backstage-plugin-multicluster-release-common';
import type { Outcome } from 'backstage-plugin-multicluster-release-node';
import { stateEvents } from './move';
import { retryFailed } from './retry';
import { sha256 } from './sha256';
import { Bench, MINUTE, planOf } from './testing';

const ANN = 'user:default/ann';
const waitingCodes = (bench: Bench) => bench.run.waiting.map(({ code }) => code);

function removalOf(cluster: string, from: ContentRef, rules: Partial<PlanRules>) {
  const { service, targetVersion, rules: usual } = planOf([]);
  return compileRollback({
    ...{ service, targetVersion, sha256 },
    targets: [{ cluster, namespace: 'production', from }],
    number: 1,
    rules: { ...usual, ...rules },
    timeoutMilliseconds: 10 * MINUTE,
  });
}

describe('decide', () => {
  it('takes a target through check, apply, health and removal to Done', () => {
    const bench = new Bench(planOf([{ clusters: ['a'] }])).turn();
    expect(bench.effects.map(({ kind }) => kind)).toEqual(['check']);
    bench.finish().turn();
    expect(bench.effects.map(({ kind }) => kind)).toEqual(['apply']);
    expect(bench.run.targets[0]).toMatchObject({
      touched: true,
      state: 'Applying',
      inventory: [{ name: 'checkout' }],
    });
    bench.finish().turn();
    expect(bench.states()).toEqual({ a: 'Verifying' });
    bench.sees('a', { health: 'Healthy' }).settle();
    expect(bench.run).toMatchObject({ state: 'Succeeded', needsWork: false });
    expect(bench.states()).toEqual({ a: 'Done' });
  });

  it('never takes health of the old version for the new one (C02)', () => {
    const bench = new Bench(
      planOf([
        { clusters: ['dev'] },
        { clusters: ['can'] },
        { clusters: ['p1', 'p2'], concurrency: 1 },
      ]),
    );
    for (const cluster of ['dev', 'can', 'p1', 'p2']) {
      bench.sees(cluster, { health: 'Healthy', stamp: { sequence: 4, ticket: 9 } });
    }
    bench.turn(1_000).turn(1_000).finish().turn().finish().turn();
    expect(bench.applied()).toEqual(['dev']);
    bench.sees('dev', { health: 'Progressing' }).turn(28_000).turn(29_000);
    expect(bench.applied()).toEqual(['dev']);
    bench.sees('dev', { health: 'Healthy' }).turn(1_000).finish().turn().finish().turn();
    expect(bench.applied()).toEqual(['dev', 'can']);
  });

  it('counts the soak of each cluster from when the new version is healthy there (C27)', () => {
    const bench = new Bench(
      planOf([{ clusters: ['k1', 'k2', 'k3'], concurrency: 1, soakEach: MINUTE }]),
    ).settle();
    bench.turn(19_000).sees('k1', { health: 'Healthy' }).turn(1_000).settle();
    bench.turn(59_000).settle();
    expect(bench.applied()).toEqual(['k1']);
    expect(waitingCodes(bench)).toEqual(['soak']);
    bench.turn(1_000).settle();
    expect(bench.applied()).toEqual(['k1', 'k2']);
    bench.turn(20_000).sees('k2', { health: 'Healthy' }).settle().turn(59_000).settle();
    expect(bench.applied()).toEqual(['k1', 'k2']);
    bench.turn(1_000).settle();
    expect(bench.applied()).toEqual(['k1', 'k2', 'k3']);
  });

  it('stops at the first failure and leaves the others untouched (C27)', () => {
    const bench = new Bench(planOf([{ clusters: ['k1', 'k2', 'k3'], concurrency: 1 }])).settle();
    bench.sees('k1', { health: 'Failed' }).turn(30_000);
    expect(bench.run.state).toBe('RollingBack');
    expect(bench.effects).toMatchObject([
      { kind: 'apply', digest: '1.0.0@k1', stamp: { sequence: 6 } },
    ]);
    bench.sees('k1', { health: 'Healthy' }).settle().finish().settle();
    expect(bench.run.state).toBe('RolledBack');
    expect(bench.states()).toEqual({ k1: 'RolledBack', k2: 'Unchanged', k3: 'Unchanged' });
    expect(bench.applied()).toEqual(['k1']);
  });

  it('puts the version on hold when it goes back', () => {
    const bench = new Bench(planOf([{ clusters: ['a'] }]))
      .settle()
      .sees('a', { health: 'Failed' })
      .turn();
    expect(bench.decision?.hold).toMatchObject({ version: '2.0.0' });
  });

  it('keeps to the concurrency, and an unreachable cluster uses no slot (C50)', () => {
    const bench = new Bench(planOf([{ clusters: ['a', 'b', 'd'], concurrency: 1 }])).settle();
    expect(bench.applied()).toEqual(['a']);
    bench.sees('a', { health: 'Healthy' }).turn().finish().turn();
    bench.finish({ b: { result: 'unreachable', message: 'connection refused' } }).turn();
    expect(bench.states()).toEqual({ a: 'Done', b: 'Pending', d: 'Applying' });
    expect(waitingCodes(bench)).toContain('unreachable');
  });

  it.each([
    ['Wait', 'Waiting', 'Offline'],
    ['Skip', 'CompletedWithPending', 'Offline'],
    ['Fail', 'Failed', 'Failed'],
  ] as const)('offline by policy %s leaves the release %s', (policy, state, targetState) => {
    const offline = { policy, afterMilliseconds: MINUTE };
    const bench = new Bench(
      planOf([{ clusters: ['a', 'b'] }], { offline, onFailure: 'Continue' }),
    ).turn();
    const down = { b: { result: 'unreachable', message: 'no route' } as const };
    bench.sees('a', { health: 'Healthy' });
    for (let second = 0; second < 120; second++) {
      bench.finish(down).turn(1_000);
    }
    expect(bench.run.state).toBe(state);
    expect(bench.states()).toEqual({ a: 'Done', b: targetState });
  });

  it('catches up when an offline cluster returns after the end', () => {
    const offline = { policy: 'Skip', afterMilliseconds: MINUTE } as const;
    const bench = new Bench(planOf([{ clusters: ['a', 'b'] }], { offline })).turn();
    bench.sees('a', { health: 'Healthy' });
    for (let second = 0; second < 120; second++) {
      bench.finish({ b: { result: 'unreachable', message: 'no route' } }).turn(1_000);
    }
    expect(bench.run.needsWork).toBe(true);
    bench.sees('b', { health: 'Healthy' }).turn(MINUTE).settle();
    expect(bench.states()).toEqual({ a: 'Done', b: 'Done' });
    expect(bench.run).toMatchObject({ state: 'CompletedWithPending', needsWork: false });
  });

  it('puts a cluster back that fails while it catches up after the end', () => {
    const offline = { policy: 'Skip', afterMilliseconds: MINUTE } as const;
    const bench = new Bench(planOf([{ clusters: ['a', 'b'] }], { offline })).turn();
    bench.sees('a', { health: 'Healthy' });
    for (let tries = 0; tries < 20; tries++) {
      bench.finish({ b: { result: 'unreachable', message: 'no route' } }).turn(10_000);
    }
    expect(bench.run.state).toBe('CompletedWithPending');
    bench.sees('b', { health: 'Progressing' }).turn(MINUTE).settle();
    bench.sees('b', { health: 'Failed' }).turn(1_000);
    expect(bench.decision?.hold).toMatchObject({ version: '2.0.0' });
    expect(bench.effects).toMatchObject([{ kind: 'apply', digest: '1.0.0@b' }]);
    bench.sees('b', { health: 'Healthy' }).settle().settle();
    expect(bench.states()).toEqual({ a: 'Done', b: 'RolledBack' });
    expect(bench.run.needsWork).toBe(false);
  });

  it('waits for a person between stages, and says so', () => {
    const bench = new Bench(
      planOf([{ clusters: ['a'], gate: 'promotion' }, { clusters: ['b'] }]),
    ).settle();
    bench
      .sees('a', { health: 'Healthy' })
      .settle()
      .turn(10 * MINUTE);
    expect(bench.run.state).toBe('Waiting');
    expect(bench.run.waiting[0]).toMatchObject({
      code: 'promote',
      blocking: true,
      params: { stage: 'stage 2' },
    });
    bench.run.stages[0].promotedBy = ANN;
    bench.settle();
    expect(bench.applied()).toEqual(['a', 'b']);
  });

  it('does not pass a gate on evidence that is not fresh', () => {
    const bench = new Bench(
      planOf([{ clusters: ['a'], gate: MINUTE }, { clusters: ['b'] }]),
    ).settle();
    bench.sees('a', { health: 'Healthy' }).settle();
    bench.sees('a', { reachable: false }).turn(2 * MINUTE);
    expect(bench.applied()).toEqual(['a']);
    expect(waitingCodes(bench)).toContain('unreachable');
    bench.sees('a', { health: 'Healthy' }).turn(1_000).settle();
    expect(bench.applied()).toEqual(['a', 'b']);
  });

  it('keeps guarding finished clusters until the end', () => {
    const bench = new Bench(
      planOf([{ clusters: ['a'], gate: MINUTE }, { clusters: ['b'] }]),
    ).settle();
    bench.sees('a', { health: 'Healthy' }).settle();
    bench.sees('a', { health: 'Failed' }).turn(1_000);
    expect(bench.run.state).toBe('RollingBack');
  });

  describe('paused', () => {
    const paused = () => {
      const bench = new Bench(planOf([{ clusters: ['a'] }, { clusters: ['b'] }])).settle();
      bench.run.paused = { by: ANN, since: bench.now };
      return bench;
    };

    it('lets the running cluster finish and starts nothing new', () => {
      const bench = paused().sees('a', { health: 'Healthy' }).settle().turn(MINUTE);
      expect(bench.states()).toEqual({ a: 'Done', b: 'Pending' });
      expect(bench.run.state).toBe('Paused');
      expect(bench.run.waiting[0]).toMatchObject({ code: 'paused', who: ANN });
      bench.run.paused = undefined;
      bench.settle();
      expect(bench.applied()).toEqual(['a', 'b']);
    });

    it('lets time-outs stand still', () => {
      const bench = paused()
        .turn()
        .turn(60 * MINUTE);
      bench.run.paused = undefined;
      expect(bench.turn().states()).toEqual({ a: 'Verifying', b: 'Pending' });
      expect(bench.turn(9 * MINUTE).run.state).toBe('Progressing');
      expect(bench.turn(2 * MINUTE).run.state).toBe('RollingBack');
    });

    it('still goes back when a cluster fails', () => {
      expect(paused().sees('a', { health: 'Failed' }).turn().run.state).toBe('RollingBack');
    });

    it('makes no first write where the check was under way', () => {
      const bench = new Bench(planOf([{ clusters: ['a'] }])).turn();
      bench.run.paused = { by: ANN, since: bench.now };
      bench.finish().turn();
      expect(bench.effects).toEqual([]);
      expect(bench.states()).toEqual({ a: 'Pending' });
      expect(bench.applied()).toEqual([]);
    });
  });

  it('tries again as often as the policy allows, then goes back (C33)', () => {
    const bench = new Bench(planOf([{ clusters: ['a'] }], { retries: 1 })).settle();
    bench.sees('a', { health: 'Failed' }).turn(1_000);
    expect(bench.states()).toEqual({ a: 'Applying' });
    bench.sees('a', { health: 'Progressing' }).settle().sees('a', { health: 'Failed' }).turn(1_000);
    expect(bench.run.state).toBe('RollingBack');
  });

  describe('failures', () => {
    const twoOfThree = (rules: object) => {
      const bench = new Bench(
        planOf([{ clusters: ['a', 'b', 'c'], concurrency: 2 }, { clusters: ['d'] }], rules),
      ).settle();
      return bench.sees('a', { health: 'Failed' }).sees('b', { health: 'Healthy' });
    };

    it('within the limit puts the failed cluster back alone and goes on', () => {
      const bench = twoOfThree({ maxFailures: 1 })
        .sees('c', { health: 'Healthy' })
        .sees('d', { health: 'Healthy' })
        .settle();
      expect(bench.states()).toMatchObject({ a: 'RollingBack', b: 'Done' });
      bench.sees('a', { health: 'Healthy' }).settle();
      expect(bench.states()).toEqual({ a: 'RolledBack', b: 'Done', c: 'Done', d: 'Done' });
      expect(bench.run.state).toBe('Succeeded');
    });

    it.each([
      [
        'RollbackFailedOnly',
        { a: 'RolledBack', b: 'Done', c: 'Unchanged', d: 'Unchanged' },
        'Failed',
      ],
      [
        'RollbackTouched',
        { a: 'RolledBack', b: 'RolledBack', c: 'Unchanged', d: 'Unchanged' },
        'RolledBack',
      ],
      [
        'RollbackStage',
        { a: 'RolledBack', b: 'RolledBack', c: 'Unchanged', d: 'Unchanged' },
        'RolledBack',
      ],
    ])('above the limit acts by onFailure %s', (onFailure, states, state) => {
      const bench = twoOfThree({ onFailure }).turn();
      bench.sees('a', { health: 'Healthy' }).settle().settle();
      expect(bench.states()).toEqual(states);
      expect(bench.run.state).toBe(state);
    });

    it('pauses where the policy says so, until a person lets it try again', () => {
      const bench = twoOfThree({ onFailure: 'Pause' }).settle();
      expect(bench.run.waiting[0]).toMatchObject({ code: 'budget', params: { failed: 1, max: 0 } });
      expect(bench.states()).toEqual({ a: 'Failed', b: 'Done', c: 'Pending', d: 'Pending' });
      retryFailed(bench.run);
      for (const cluster of ['a', 'c', 'd']) {
        bench.sees(cluster, { health: 'Healthy' });
      }
      expect(bench.settle().run.state).toBe('Succeeded');
    });

    it('lets one of two failed clusters try again and leaves the other as it is', () => {
      const plan = planOf([{ clusters: ['a', 'b'] }], { onFailure: 'Pause' });
      const bench = new Bench(plan).settle();
      bench.sees('a', { health: 'Failed' }).sees('b', { health: 'Failed' }).turn(1_000);
      retryFailed(bench.run, ({ cluster }) => cluster === 'a');
      bench.sees('a', { health: 'Healthy' }).settle();
      expect(bench.states()).toEqual({ a: 'Done', b: 'Failed' });
      expect(bench.run.state).toBe('Failed');
    });

    it('pauses on a failure that rollback.on does not name', () => {
      expect(waitingCodes(twoOfThree({ rollbackOn: ['Timeout'] }).turn())).toContain('budget');
    });
  });

  it('stops before a write that the preview did not show, until a person accepts it', () => {
    const bench = new Bench(planOf([{ clusters: ['a'] }])).turn();
    const changed = {
      result: 'changedSincePreview',
      message: 'removes Service production/old',
      risks: ['removal:x'],
    } satisfies Outcome;
    bench.finish({ a: changed }).turn();
    expect(bench.states()).toEqual({ a: 'Blocked' });
    expect(bench.run).toMatchObject({ state: 'Waiting', waiting: [{ code: 'changed' }] });
    Object.assign(bench.run.targets[0], { acceptedRisks: ['removal:x'], changedRisks: undefined });
    expect(bench.turn().effects).toMatchObject([{ kind: 'check', acceptedRisks: ['removal:x'] }]);
  });

  it('asks a person also where the cluster could not be previewed because it was away', () => {
    const bench = new Bench(planOf([{ clusters: ['a'] }])).turn();
    bench
      .finish({ a: { result: 'unreachable', message: 'connection refused' } })
      .turn()
      .sees('a', { reachable: true })
      .turn(2_000);
    const changed = {
      result: 'changedSincePreview',
      message: 'removes ConfigMap shop/old',
      risks: ['removal:x'],
    } satisfies Outcome;
    bench.finish({ a: changed }).turn().turn(60_000);
    expect(bench.states()).toEqual({ a: 'Blocked' });
    expect(waitingCodes(bench)).toEqual(['changed']);
  });

  it('writes its stamp again under a new claim before anything else there', () => {
    const bench = new Bench(planOf([{ clusters: ['a'] }])).settle();
    bench.ticket = 2;
    bench.effects = [];
    bench.sees('a', { health: 'Healthy' }).turn();
    expect(bench.effects).toMatchObject([{ kind: 'apply', stamp: { sequence: 5, ticket: 2 } }]);
    bench.finish().turn().settle();
    // The turn that took the new claim's write in still saw the old stamp; the next look shows the new one.
    bench.settle();
    expect(bench.run.state).toBe('Succeeded');
  });

  it('begins the cool-down of a stage anew where a cluster of it was tried again', () => {
    const plan = planOf([{ clusters: ['a'], gate: 10 * MINUTE }], { onFailure: 'Pause' });
    const bench = new Bench(plan);
    bench.sees('a', { health: 'Healthy' }).settle();
    bench.sees('a', { health: 'Failed' }).turn(MINUTE);
    const before = structuredClone(bench.run);
    retryFailed(bench.run);
    bench.events.push(...stateEvents(bench.run, before));
    bench
      .sees('a', { health: 'Healthy' })
      .turn(20 * MINUTE)
      .settle();
    expect(bench.states()).toEqual({ a: 'Done' });
    expect(bench.turn(9 * MINUTE).run.state).not.toBe('Succeeded');
    expect(bench.turn(MINUTE).run.state).toBe('Succeeded');
  });

  it('repairs what a late writer left also while the cluster is observed', () => {
    const bench = new Bench(planOf([{ clusters: ['a'], soakEach: 10 * MINUTE }]));
    bench.sees('a', { health: 'Healthy' }).settle();
    expect(bench.states()).toEqual({ a: 'Soaking' });
    bench.sees('a', { health: 'Healthy', stamp: { sequence: 4, ticket: 1 } }).turn(5_000);
    expect(bench.effects).toMatchObject([{ kind: 'apply' }]);
    bench
      .sees('a', { health: 'Healthy' })
      .settle()
      .turn(10 * MINUTE);
    expect(bench.run.state).toBe('Succeeded');
  });

  it('asks nobody about a blocked cluster once the release goes back', () => {
    const bench = new Bench(
      planOf([{ clusters: ['a', 'b'] }], { onFailure: 'RollbackFailedOnly' }),
    ).turn();
    const changed: Outcome = { result: 'changedSincePreview', message: 'm', risks: ['x'] };
    bench.finish({ b: changed }).turn().settle();
    bench.sees('a', { health: 'Failed' }).turn();
    expect(bench.run.state).toBe('RollingBack');
    expect(waitingCodes(bench)).not.toContain('changed');
  });

  it('has on record what a way back may make again, before it does', () => {
    const extra = { apiVersion: 'v1', kind: 'ConfigMap', name: 'extra', createdByUs: true };
    const bench = new Bench(planOf([{ clusters: ['a'], gate: 'promotion' }]));
    bench.run.targets[0].inventoryBefore = [extra];
    bench.sees('a', { health: 'Healthy' }).settle();
    expect(bench.run.targets[0].inventory).not.toContainEqual(extra);
    bench.run.rollback = { by: ANN, reason: 'no', since: bench.now, scope: 'touched' };
    expect(bench.turn().effects[0].inventory).toContainEqual(extra);
  });

  it('takes shared objects for proven by their health, after its own write (Namespaces, CRDs)', () => {
    const bench = new Bench(planOf([{ clusters: ['a'] }])).turn().finish().turn();
    bench.sees('a', { health: 'Healthy', stampless: true }).finish().turn();
    expect(bench.states()).toEqual({ a: 'Verifying' });
    expect(bench.turn(1_000).settle().states()).toEqual({ a: 'Done' });
  });

  it('repairs what a late writer left', () => {
    const bench = new Bench(planOf([{ clusters: ['a'], gate: MINUTE }]))
      .settle()
      .sees('a', { health: 'Healthy' })
      .settle();
    bench.sees('a', { health: 'Healthy', stamp: { sequence: 4, ticket: 1 } }).turn(10_000);
    expect(bench.effects).toMatchObject([{ kind: 'apply', digest: '2.0.0@a' }]);
    expect(bench.events.map(({ code }) => code)).toContain('LateWriterRepaired');
  });

  it('stops here: finished clusters stay, the rest is left out', () => {
    const bench = new Bench(
      planOf([{ clusters: ['a'] }, { clusters: ['b'] }, { clusters: ['c'] }]),
    ).settle();
    bench.sees('a', { health: 'Healthy' }).settle();
    bench.run.aborted = { by: ANN, since: bench.now };
    bench.sees('b', { health: 'Healthy' }).settle();
    expect(bench.run.state).toBe('Aborted');
    expect(bench.states()).toEqual({ a: 'Done', b: 'Done', c: 'Skipped' });
  });

  it('goes back on a person’s order, and finishes an unreachable cluster on its return', () => {
    const bench = new Bench(planOf([{ clusters: ['a', 'b'] }])).settle();
    bench.sees('a', { health: 'Healthy' }).sees('b', { reachable: false }).settle();
    bench.run.rollback = { by: ANN, reason: 'looks wrong', since: bench.now, scope: 'touched' };
    bench.settle();
    expect(bench.states()).toEqual({ a: 'RolledBack', b: 'RollbackPending' });
    bench.turn(11 * MINUTE);
    expect(bench.run).toMatchObject({ state: 'RolledBack', needsWork: true });
    expect(bench.run.waiting).toMatchObject([
      { code: 'rollbackPending', params: { cluster: 'b' } },
    ]);
    bench.sees('b', { health: 'Healthy' }).turn(MINUTE).settle();
    expect(bench.states()).toEqual({ a: 'RolledBack', b: 'RolledBack' });
    expect(bench.run.needsWork).toBe(false);
  });

  it('is never successful without a cluster', () => {
    expect(new Bench(planOf([])).turn().run.state).toBe('NothingSelected');
  });

  it('succeeds without a write where everything runs already', () => {
    const plan = planOf([{ clusters: ['a'], gate: MINUTE }]);
    plan.targets[0].unchanged = true;
    const bench = new Bench(plan).turn();
    expect(bench.run.state).toBe('Succeeded');
    expect(bench.effects).toEqual([]);
  });

  describe('orders in states that are easily forgotten', () => {
    it('gives the way back its own time-out, however long the release was paused before', () => {
      const bench = new Bench(planOf([{ clusters: ['a'] }])).settle();
      bench.sees('a', { health: 'Progressing' }).turn(1_000);
      bench.run.paused = { by: ANN, since: bench.now };
      bench.turn(1_000).turn(30 * MINUTE);
      bench.run.rollback = { by: ANN, reason: 'no', since: bench.now, scope: 'touched' };
      bench.turn(1_000);
      expect(bench.states()).toEqual({ a: 'RollingBack' });
      expect(bench.effects).toMatchObject([{ kind: 'apply', digest: '1.0.0@a' }]);
    });

    it.each(['paused', 'overBudget'] as const)('ends a stop that was ordered while %s', state => {
      const plan = planOf([{ clusters: ['a', 'b'], concurrency: 1 }], { onFailure: 'Pause' });
      const bench = new Bench(plan).settle();
      if (state === 'paused') {
        bench.run.paused = { by: ANN, since: bench.now };
        bench.sees('a', { health: 'Progressing' }).turn(1_000);
      } else {
        bench.sees('a', { health: 'Failed' }).turn(1_000);
      }
      bench.run.aborted = { by: ANN, since: bench.now };
      if (state === 'paused') {
        bench.settle().turn(11 * MINUTE);
      }
      bench.sees('a', { health: 'Healthy' }).settle().settle();
      expect(bench.run.state).toBe('Aborted');
      expect(bench.states()).toEqual({ a: 'RolledBack', b: 'Skipped' });
    });

    it('tries a failed cluster of a passed stage again', () => {
      const stages = [{ clusters: ['a', 'x'] }, { clusters: ['b'], gate: 'promotion' as const }];
      const bench = new Bench(planOf(stages, { onFailure: 'Continue' })).settle();
      bench.sees('a', { health: 'Failed' }).sees('x', { health: 'Healthy' }).settle();
      bench.sees('b', { health: 'Healthy' }).settle();
      expect(bench.states()).toEqual({ a: 'Failed', x: 'Done', b: 'Done' });
      retryFailed(bench.run);
      bench.sees('a', { health: 'Healthy' }).settle();
      expect(bench.states()).toMatchObject({ a: 'Done' });
      bench.run.stages[1].promotedBy = ANN;
      expect(bench.settle().run.state).toBe('Succeeded');
    });

    it('puts a cluster back that was blocked on its second try when the release is stopped', () => {
      const plan = planOf([{ clusters: ['a', 'b'], concurrency: 1 }], { onFailure: 'Pause' });
      const bench = new Bench(plan).settle().sees('a', { health: 'Failed' }).turn(1_000);
      retryFailed(bench.run);
      const changed = {
        result: 'changedSincePreview',
        message: 'm',
        risks: ['r'],
      } satisfies Outcome;
      bench.turn(1_000).finish({ a: changed }).turn();
      expect(bench.states()).toMatchObject({ a: 'Blocked' });
      bench.run.aborted = { by: ANN, since: bench.now };
      bench.sees('a', { health: 'Healthy' }).settle().settle();
      expect(bench.states()).toEqual({ a: 'RolledBack', b: 'Skipped' });
      expect(bench.run.state).toBe('Aborted');
    });

    it('has on record what it writes where a stop sends back a cluster that waited for its next try', () => {
      const bench = new Bench(planOf([{ clusters: ['a'] }], { onFailure: 'Pause' }));
      bench.sees('a', { health: 'Failed' }).settle();
      bench.run.paused = { by: ANN, since: bench.now };
      const before = structuredClone(bench.run);
      retryFailed(bench.run);
      bench.events.push(...stateEvents(bench.run, before));
      bench.turn();
      expect(bench.states()).toEqual({ a: 'Pending' });
      bench.run.aborted = { by: ANN, since: bench.now };
      bench.turn();
      const [effect] = bench.effects;
      expect(bench.run.targets[0].sequence).toBe(effect.stamp.sequence);
      bench.sees('a', { health: 'Healthy' }).settle();
      expect(bench.run.state).toBe('Aborted');
    });

    it('asks a person where a rollback release itself fails', () => {
      const plan = planOf([{ clusters: ['a', 'b'] }], { maxFailures: 0 });
      const bench = new Bench({ ...plan, kind: 'rollback' }).settle();
      bench.sees('a', { health: 'Failed' }).sees('b', { health: 'Healthy' }).settle();
      expect(bench.run.plans).toHaveLength(1);
      expect(bench.run).toMatchObject({ state: 'Waiting', waiting: [{ code: 'budget' }] });
      retryFailed(bench.run);
      expect(bench.sees('a', { health: 'Healthy' }).settle().run.state).toBe('Succeeded');
    });

    it('is no success of a rollback release where a cluster fails, whatever failures the policy takes', () => {
      const plan = planOf([{ clusters: ['a', 'b'] }], { maxFailures: 1 });
      const bench = new Bench({ ...plan, kind: 'rollback' }).settle();
      bench.sees('a', { health: 'Failed' }).sees('b', { health: 'Healthy' }).settle();
      expect(bench.states()).toEqual({ a: 'Failed', b: 'Done' });
      expect(bench.run.state).toBe('Failed');
    });

    it('keeps no work for a cluster that nothing can follow on', () => {
      const offline = { policy: 'Skip', afterMilliseconds: MINUTE } as const;
      const plan = planOf([{ clusters: ['a', 'b'] }], { offline, onFailure: 'Continue' });
      const bench = new Bench(plan).turn();
      bench.sees('a', { health: 'Failed' });
      for (let tries = 0; tries < 12; tries++) {
        bench.finish({ b: { result: 'unreachable', message: 'no route' } }).turn(10_000);
      }
      expect(bench.states()).toEqual({ a: 'Failed', b: 'Skipped' });
      expect(bench.run).toMatchObject({ state: 'Failed', needsWork: false });
    });

    it('gives the repair of a finished cluster an end', () => {
      const stages = [{ clusters: ['a'], gate: 'promotion' as const }];
      const bench = new Bench(planOf(stages)).settle().sees('a', { health: 'Healthy' }).settle();
      expect(bench.states()).toEqual({ a: 'Done' });
      const stamp = { sequence: 4, ticket: 1 };
      bench.turn(MINUTE).sees('a', { health: 'Healthy', stamp }).turn(MINUTE);
      expect(bench.states()).toEqual({ a: 'Applying' });
      bench.sees('a', { health: 'Progressing' }).settle();
      expect(bench.turn(11 * MINUTE).run.state).toBe('RollingBack');
    });

    it('tells once that a cluster is offline, tries nothing there, and sees its return', () => {
      const offline = { policy: 'Skip', afterMilliseconds: MINUTE } as const;
      const bench = new Bench(planOf([{ clusters: ['a', 'b'] }], { offline })).turn();
      bench.sees('a', { health: 'Healthy' }).sees('b', { reachable: false });
      bench.finish({ b: { result: 'unreachable', message: 'no route' } });
      for (let looks = 0; looks < 50; looks++) {
        bench.turn(10_000).finish();
      }
      const told = bench.events.filter(({ key }) => key === 'b/production').map(({ code }) => code);
      expect(told).toEqual(['TargetStarted', 'Unreachable', 'TargetOffline']);
      expect(bench.run.state).toBe('CompletedWithPending');
      expect(bench.decision?.observe.map(({ key }) => key)).toEqual(['b/production']);
      bench.sees('b', { health: 'Healthy' }).turn(10_000);
      expect(bench.effects.map(({ kind, target }) => [kind, target.cluster])).toEqual([
        ['check', 'b'],
      ]);
      expect(bench.finish().turn().settle().states()).toEqual({ a: 'Done', b: 'Done' });
    });

    it('backs off where a cluster is seen and yet does not answer', () => {
      const bench = new Bench(planOf([{ clusters: ['a'] }])).turn();
      bench.sees('a', { reachable: true });
      let tries = 0;
      for (let second = 0; second < 60; second++) {
        tries += bench.effects.length;
        bench.finish({ a: { result: 'unreachable', message: 'timed out' } }).turn(1_000);
      }
      expect(tries).toBeLessThan(10);
    });

    it('removes nothing, and puts nothing back, on evidence of the past', () => {
      const bench = new Bench(planOf([{ clusters: ['a'] }])).turn().finish().turn().finish();
      expect(bench.sees('a', { health: 'Healthy' }).turn().effects).toMatchObject([
        { kind: 'remove' },
      ]);
      // As after a restart: what was to be done is on record, and nobody has looked there yet.
      bench.effects = [];
      expect(bench.sees('a', { health: 'Progressing' }).turn().effects).toEqual([]);
      bench.run.rollback = { by: ANN, reason: 'no', since: bench.now, scope: 'touched' };
      bench.sees('a', { health: 'Healthy' }).turn().finish().turn();
      expect(bench.effects).toMatchObject([{ kind: 'remove', digest: '1.0.0@a' }]);
      bench.sees('a', { health: 'Progressing' }).finish().turn();
      expect(bench.run.targets[0].state).toBe('RollingBack');
      bench.sees('a', { health: 'Healthy' }).turn();
      expect(bench.run.targets[0].state).toBe('RolledBack');
    });

    it('removes nothing in a rollback while a lost write may still land', () => {
      const bench = new Bench(planOf([{ clusters: ['a'] }])).turn().finish().turn();
      expect(bench.effects).toMatchObject([{ kind: 'apply' }]);
      bench.finish({ a: { result: 'unreachable', message: 'timed out' } }).turn();
      bench.run.rollback = { by: ANN, reason: 'no', since: bench.now, scope: 'touched' };
      bench.sees('a', { health: 'Healthy' }).turn(60_000);
      expect(bench.finish().turn().finish().turn(1_000).effects).toEqual([]);
      expect(bench.turn(12_000).effects).toMatchObject([{ kind: 'remove' }]);
    });
  });

  describe('behind another release', () => {
    const inventory = [{ apiVersion: 'v1', kind: 'Service', name: 'new', createdByUs: true }];
    const afterTheOther = (version: string, hold?: string) => {
      const bench = new Bench(planOf([{ clusters: ['a'] }]));
      bench.run.queuedBehind = 'r0';
      bench.queue = { aheadEnded: false, current: new Map() };
      bench.turn();
      expect(bench.run).toMatchObject({
        state: 'Pending',
        waiting: [{ code: 'queue', params: { id: 'r0' } }],
      });
      expect(bench.effects).toEqual([]);
      const content = { digest: `${version}@a`, version };
      const current = new Map([['a/production', { content, sequence: 4, inventory }]]);
      bench.queue = { aheadEnded: true, current, hold };
      return bench.turn();
    };

    it('does not bring a version by itself that was put on hold meanwhile', () => {
      const bench = afterTheOther('1.0.0', 'crashed on b');
      expect(bench.run).toMatchObject({ state: 'Waiting', waiting: [{ code: 'hold' }] });
      expect(bench.run.planChanged?.message).toContain('crashed on b');
      expect(bench.effects).toEqual([]);
    });

    it('writes under a newer number than the way back of the one ahead', () => {
      const bench = new Bench(planOf([{ clusters: ['a'] }]));
      bench.run.queuedBehind = 'r0';
      bench.run.lastSequence = 9;
      const content = { digest: '1.0.0@a', version: '1.0.0' };
      bench.queue = {
        aheadEnded: true,
        current: new Map([['a/production', { content, sequence: 9, inventory: [] }]]),
      };
      expect(bench.turn().run.planChanged).toBeUndefined();
      expect(bench.effects).toMatchObject([{ kind: 'check', stamp: { sequence: 10 } }]);
      expect(bench.run.plans.map(({ number, hash }) => [number, hash])).toEqual([
        [1, 'sha256:test'],
        [2, 'sha256:test'],
      ]);
    });

    it('leaves out what was skipped while it waited', () => {
      const bench = new Bench(planOf([{ clusters: ['a', 'b'] }]));
      bench.run.queuedBehind = 'r0';
      bench.run.targets[1].skip = { by: ANN, at: bench.now };
      bench.queue = { aheadEnded: false, current: new Map() };
      bench.turn();
      bench.queue = { aheadEnded: true, current: new Map() };
      expect(bench.turn().states()).toEqual({ a: 'Pending', b: 'Skipped' });
    });

    it('goes on with what the record says by then', () => {
      const bench = afterTheOther('1.0.0');
      expect(bench.effects).toMatchObject([{ kind: 'check', inventory }]);
    });

    it('waits for a person where other versions run than expected', () => {
      const bench = afterTheOther('0.9.0');
      expect(bench.run).toMatchObject({ state: 'Waiting', waiting: [{ code: 'planChanged' }] });
      expect(bench.effects).toEqual([]);
      bench.run.planChanged = undefined;
      expect(bench.turn().effects).toMatchObject([{ kind: 'check', fromDigest: '0.9.0@a' }]);
    });

    describe('a removal', () => {
      const record = (version: string | undefined, unproven?: boolean) => ({
        content: version === undefined ? undefined : { digest: `${version}@x`, version },
        sequence: 4,
        inventory,
        unproven,
      });
      const onA = { digest: '2.0.0@x', version: '2.0.0' };
      const itsTurn = (elsewhere?: ReturnType<typeof record>, last?: boolean, removal = true) => {
        const bench = new Bench(removalOf('a', onA, { last }));
        bench.run.queuedBehind = 'r0';
        bench.queue = {
          aheadEnded: true,
          removal,
          current: new Map([
            ['a/production', record('2.0.0')],
            ...(elsewhere ? ([['b/production', elsewhere]] as const) : []),
          ]),
        };
        return bench.turn();
      };

      it.each([
        ['where nothing runs elsewhere by then (C01)', undefined, true],
        ['where only a write is on record elsewhere', record(undefined, true), true],
        ['where what runs elsewhere is not proven', record('1.0.0', true), true],
        ['not where it runs elsewhere', record('1.0.0'), false],
      ])('waits for a person %s', (_name, elsewhere, waits) => {
        const bench = itsTurn(elsewhere);
        expect(bench.run.planChanged !== undefined).toBe(waits);
        expect(bench.effects).toHaveLength(waits ? 0 : 1);
      });

      it('says why, and goes on when that is accepted', () => {
        const bench = itsTurn();
        expect(bench.run.waiting[0]).toMatchObject({
          code: 'planChanged',
          message: expect.stringContaining('it would run nowhere'),
        });
        bench.run.planChanged = undefined;
        expect(bench.turn().effects).toMatchObject([{ kind: 'remove' }]);
      });

      it('goes on where that was said to be meant, and so does a way back to nothing', () => {
        expect(itsTurn(undefined, true).effects).toMatchObject([{ kind: 'remove' }]);
        expect(itsTurn(undefined, undefined, false).effects).toMatchObject([{ kind: 'remove' }]);
      });
    });
  });
});
