import {
  compileRollback,
  type ContentRef,
  type Plan,
  type PlanStage,
  type Waiting,
} from 'backstage-plugin-multicluster-release-common';
import { keyOf, planOf } from '../../decide/testing';
import { createRun } from '../../decide/createRun';
import type { ReleaseRun, StageRun, TargetRun } from '../../decide/types';
import { countTargets, healthOf } from './releaseView';
import { runningVersion } from './runningVersions';
import { stageViews } from './stageViews';
import { stepViews } from './stepViews';
import { targetView } from './targetView';
import { waitingView } from './waitingView';

const NOW = 1_800_000_000_000;
const MINUTE = 60_000;

function runOf(
  targets: Record<string, Partial<TargetRun>> = {},
  more: Partial<ReleaseRun> = {},
): ReleaseRun {
  const plan = planOf([
    { clusters: ['a', 'b'], gate: 10 * MINUTE },
    { clusters: ['c'], gate: 'promotion' },
  ]);
  const run = createRun({
    id: 'r',
    plan,
    sequence: 5,
    current: new Map(),
    acceptedRisks: new Map(),
    now: NOW,
  });
  run.targets.forEach(target => Object.assign(target, targets[target.cluster]));
  return { ...run, state: 'Progressing', ...more };
}

function rollbackTo(run: ReleaseRun, cluster: string, to?: ContentRef): Plan {
  const { service, rules } = run.plans[0];
  return compileRollback({
    service,
    targetVersion: to?.version ?? 'nothing',
    targets: [{ cluster, namespace: run.targets[0].namespace, to }],
    number: 2,
    rules,
    timeoutMilliseconds: MINUTE,
    sha256: text => `hash of ${text.length}`,
  });
}

const stages = (...all: Partial<StageRun>[]): StageRun[] =>
  all.map((stage, index) => ({ index, ...stage }));

describe('counts and health of a release', () => {
  it('counts every target once', () => {
    expect(
      countTargets({
        Done: 2,
        Unchanged: 1,
        Verifying: 1,
        Offline: 1,
        Failed: 1,
        RollbackPending: 1,
        RolledBack: 3,
      }),
    ).toEqual({
      total: 10,
      done: 3,
      running: 1,
      failed: 1,
      pending: 2,
      rolledBack: 3,
    });
  });

  it.each([
    [{}, 'Unknown'],
    [{ Healthy: 3 }, 'Healthy'],
    [{ Healthy: 3, Unknown: 1 }, 'Unknown'],
    [{ Healthy: 3, Unknown: 1, Progressing: 1 }, 'Progressing'],
    [{ Healthy: 3, Failed: 1 }, 'Failed'],
  ] as const)('of %j is %s', (health, expected) => {
    expect(healthOf(health)).toBe(expected);
  });
});

function waitsFor(code: Waiting['code'], params: Waiting['params']): Waiting {
  return { code, params, message: code, since: NOW, blocking: true };
}

describe('stages', () => {
  it.each<[string, ReleaseRun, string[]]>([
    ['before its start', runOf(), ['pending', 'pending']],
    ['under way', runOf({}, { stages: stages({ startedAt: NOW }, {}) }), ['running', 'pending']],
    [
      'at its gate',
      runOf({ a: { state: 'Done' } }, { stages: stages({ startedAt: NOW, gateAt: NOW }, {}) }),
      ['waiting', 'pending'],
    ],
    [
      'passed',
      runOf({}, { stages: stages({ startedAt: NOW, finishedAt: NOW }, { startedAt: NOW }) }),
      ['done', 'running'],
    ],
    [
      'with a failure',
      runOf({ a: { state: 'Failed' } }, { stages: stages({ startedAt: NOW }, {}) }),
      ['failed', 'pending'],
    ],
    [
      'stopped',
      runOf({}, { state: 'Aborted', stages: stages({ startedAt: NOW, finishedAt: NOW }, {}) }),
      ['done', 'skipped'],
    ],
  ])('%s', (_name, run, expected) => {
    expect(stageViews(run).map(({ state }) => state)).toEqual(expected);
  });

  it('say what holds the stage under way, and not what one cluster waits for', () => {
    const soak = waitsFor('soak', { stage: 'canary' });
    const run = runOf(
      {},
      {
        stages: stages({ startedAt: NOW, gateAt: NOW }, {}),
        waiting: [waitsFor('soak', { cluster: 'a' }), soak],
      },
    );
    const [stage, next] = stageViews(run);
    expect(stage.gates).toEqual([soak]);
    expect(next.gates).toEqual([]);
    expect(stage.pauseMilliseconds).toBe(10 * MINUTE);
  });

  it('say that a person is waited for', () => {
    const run = runOf(
      {},
      {
        stage: 1,
        stages: stages({ startedAt: NOW, finishedAt: NOW }, { startedAt: NOW, gateAt: NOW }),
        waiting: [waitsFor('promote', { stage: 'the end' })],
      },
    );
    expect(stageViews(run)[1]).toMatchObject({
      untilPromoted: true,
      gates: [{ code: 'promote', params: { stage: 'the end' } }],
    });
  });
});

describe('the clusters of a stage', () => {
  it('are named in their order, also where an earlier stage has them, and no more than 8', () => {
    const many = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
    const run = createRun({
      id: 'r',
      plan: planOf([{ clusters: ['b'] }, { clusters: many }]),
      sequence: 5,
      current: new Map(),
      acceptedRisks: new Map(),
      now: NOW,
    });
    expect(stageViews(run).map(({ clusters, total }) => [clusters, total])).toEqual([
      [['b'], 1],
      [many.slice(0, 8), 9],
    ]);
  });
});

describe('the name of a stage in a cause', () => {
  const waiting = [waitsFor('promote', { stage: 'promotion' })];
  const kinds = (...all: [name: string, kind: PlanStage['kind']][]) => {
    const run = runOf({}, { waiting });
    run.plans[0].stages.forEach((stage, index) =>
      Object.assign(stage, { name: all[index][0], kind: all[index][1] }),
    );
    return run.waiting.map(cause => waitingView(run, cause).params.stageKind);
  };

  it.each([
    ['of the server', kinds(['canary', 'step'], ['promotion', 'promotion']), 'promotion'],
    ['of a document', kinds(['canary', 'step'], ['promotion', 'step']), undefined],
    ['of both', kinds(['promotion', 'step'], ['promotion', 'promotion']), undefined],
    ['of neither', kinds(['canary', 'step'], ['production', 'step']), undefined],
  ])('%s', (_whose, found, kind) => {
    expect(found).toEqual([kind]);
  });
});

describe('steps', () => {
  it('count who has them behind', () => {
    const run = runOf({ a: { position: 2 }, b: { position: 1 } });
    const passed = stepViews(run)
      .filter(({ stage }) => stage === 0)
      .map(({ instruction, passed: count }) => [instruction, count]);
    expect(passed.slice(0, 3)).toEqual([
      ['check', 2],
      ['apply', 1],
      ['wait', 0],
    ]);
  });
});

describe('a target', () => {
  const target = (change: Partial<TargetRun>) => {
    const run = runOf({ a: { fromSequence: 3, ...change } });
    return targetView(run, run.targets[0], {
      name: 'a',
      labels: { tier: 'prod' },
      region: 'cn-east-1',
    });
  };

  it.each<[string, Partial<TargetRun>, object]>([
    [
      'that has not started',
      { state: 'Pending' },
      { weight: { wanted: 0, observed: 0 }, configVersion: { offset: 2 } },
    ],
    [
      'on its way',
      { state: 'Verifying', touched: true },
      { weight: { wanted: 100, observed: undefined }, configVersion: { offset: 2 } },
    ],
    [
      'that has arrived',
      { state: 'Done', touched: true },
      { weight: { wanted: 100, observed: 100 }, configVersion: { offset: 0 } },
    ],
    [
      'that went back',
      { state: 'RolledBack', touched: true },
      { weight: { wanted: 0, observed: 0 } },
    ],
    [
      'of a release that went back before it came there',
      {
        state: 'Unchanged',
        from: { digest: 'd1', version: '1.0.0', configVersion: '1' },
      },
      {
        from: { version: '1.0.0' },
        weight: { wanted: 0, observed: 0 },
        configVersion: { observed: '1', offset: 2 },
      },
    ],
  ])('%s', (_name, change, expected) => {
    expect(target(change)).toMatchObject(expected);
  });

  it('that had the content before has arrived', () => {
    const run = runOf({ a: { state: 'Unchanged', fromSequence: 3 } });
    run.plans[0].targets[0].unchanged = true;
    expect(targetView(run, run.targets[0])).toMatchObject({
      weight: { wanted: 100, observed: 100 },
      configVersion: { offset: 0 },
    });
  });

  it('that a person sent back to a version of choice says which one was put there', () => {
    const run = runOf({ a: { state: 'RolledBack', touched: true, plan: 2, stage: 0 } });
    const back = { digest: 'd0', version: '0.5.0', configVersion: '0' };
    run.plans.push(rollbackTo(run, 'a', back));
    run.sequences[2] = 6;
    expect(targetView(run, run.targets[0])).toMatchObject({
      to: { version: '0.5.0' },
      configVersion: { observed: '0', offset: 0 },
      weight: { wanted: 0, observed: 0 },
    });
  });

  it('keeps its stage of the plan that leads forward while it goes back', () => {
    const run = runOf({ c: { state: 'RollingBack', touched: true, plan: 2, stage: 0 } });
    run.plans.push(rollbackTo(run, 'c'));
    expect(targetView({ ...run, stage: 1 }, run.targets[2]).stage).toBe(1);
  });

  it('has no stage where a newer plan of a queued release leaves it out', () => {
    const run = runOf({ c: { plan: 2 }, a: { plan: 2 }, b: { state: 'Skipped', left: true } });
    const plan = planOf([{ clusters: ['a'] }, { clusters: ['c'] }]);
    run.plans.push({ ...plan, number: 2 });
    const stageOf = Object.fromEntries(
      run.targets.map(each => [each.cluster, targetView(run, each).stage]),
    );
    expect(stageOf).toEqual({ a: 0, b: undefined, c: 1 });
    expect(stageViews(run).map(({ clusters, total }) => [clusters, total])).toEqual([
      [['a'], 1],
      [['c'], 1],
    ]);
  });

  it('carries what the fleet says, and goes without where the cluster has left', () => {
    expect(target({})).toMatchObject({ region: 'cn-east-1', labels: { tier: 'prod' } });
    const run = runOf();
    expect(targetView(run, run.targets[0])).toMatchObject({ region: undefined, labels: {} });
  });

  it('waits for what names it', () => {
    const cause = {
      code: 'unreachable' as const,
      params: { cluster: 'b' },
      message: 'm',
      since: NOW,
      blocking: true,
    };
    const run = runOf({}, { waiting: [cause] });
    const waiting = Object.fromEntries(
      run.targets.map(each => [each.key, targetView(run, each).waiting?.code]),
    );
    expect(waiting).toEqual({
      [keyOf('a')]: undefined,
      [keyOf('b')]: 'unreachable',
      [keyOf('c')]: undefined,
    });
  });
});

describe('what runs', () => {
  const record = {
    service: 's',
    cluster: 'a',
    namespace: 'n',
    version: '1.0.0',
    wantedSequence: 4,
    observedSequence: 3,
    releaseId: 'r',
    inventory: [],
  };

  it.each([
    [
      'a cluster that answers',
      { state: 'ok' as const },
      { health: { state: 'Healthy' }, clusterState: 'ok', offset: 1 },
    ],
    [
      'a cluster that is away',
      { state: 'unreachable' as const, message: 'ENOTFOUND' },
      {
        health: { state: 'Unknown' },
        clusterState: 'unreachable',
        version: '1.0.0',
        message: 'ENOTFOUND',
      },
    ],
    [
      'a cluster that refuses us',
      { state: 'unauthorized' as const },
      { health: { state: 'Unknown' }, clusterState: 'unauthorized', version: '1.0.0' },
    ],
  ])('on %s', (_name, state, expected) => {
    const cluster = { name: 'a', labels: {}, ...state };
    expect(
      runningVersion({
        record,
        cluster,
        seen: { health: { state: 'Healthy' }, at: NOW },
        now: NOW,
      }),
    ).toMatchObject(expected);
  });

  it('on a cluster that nobody has asked yet is not known', () => {
    const seen = { health: { state: 'Healthy' as const }, at: NOW };
    expect(runningVersion({ record, seen, now: NOW })).toMatchObject({
      health: { state: 'Unknown' },
      clusterState: 'starting',
    });
  });

  it('is not known any more where nobody has looked for minutes', () => {
    const cluster = { name: 'a', labels: {}, state: 'ok' as const };
    const seen = { health: { state: 'Healthy' as const }, at: NOW };
    expect(runningVersion({ record, cluster, seen, now: NOW + 6 * MINUTE })).toMatchObject({
      health: { state: 'Unknown', message: 'last seen Healthy' },
      reportedAt: NOW,
    });
    expect(runningVersion({ record, cluster, now: NOW }).health.state).toBe('Unknown');
  });
});
