import {
  ACTIONS,
  type ActionName,
  type ReleaseState,
  type TargetState,
} from 'backstage-plugin-multicluster-release-common';
import { keyOf, planOf } from '../../decide/testing';
import { createRun } from '../../decide/createRun';
import type { ReleaseRun, TargetRun } from '../../decide/types';
import { actionStates } from './allowed';
import { applyOrder } from './changes';

const NOW = 1_800_000_000_000;

interface Sketch {
  state?: ReleaseState;
  targets?: Record<string, Partial<TargetRun>>;
  more?: Partial<ReleaseRun>;
}

/** cluster-a behind a promotion, then cluster-b. */
function runOf({ state = 'Progressing', targets = {}, more = {} }: Sketch = {}): ReleaseRun {
  const plan = planOf([{ clusters: ['a'], gate: 'promotion' }, { clusters: ['b'] }]);
  const run = createRun({
    id: 'r',
    plan,
    sequence: 2,
    current: new Map(),
    acceptedRisks: new Map(),
    now: NOW,
  });
  for (const target of run.targets) {
    Object.assign(target, targets[target.cluster]);
  }
  return { ...run, state, ...more };
}

const AT_GATE: Partial<ReleaseRun> = {
  stages: [{ index: 0, startedAt: NOW, gateAt: NOW }, { index: 1 }],
};
const FAILED: Partial<TargetRun> = {
  state: 'Failed',
  touched: true,
  failure: { cause: 'Timeout', message: 'late', at: NOW },
};
const DONE: Partial<TargetRun> = { state: 'Done', touched: true };

const CASES: [
  name: string,
  sketch: Sketch,
  allowed: ActionName[],
  why: Partial<Record<ActionName, string>>,
][] = [
  [
    'on its way',
    {},
    ['pause', 'abort', 'rollback', 'skip-cluster'],
    {
      promote: 'NothingToPromote',
      resume: 'NotPaused',
      retry: 'NothingFailed',
      accept: 'NothingToAccept',
    },
  ],
  [
    'at a gate for people',
    { state: 'Waiting', more: AT_GATE },
    ['promote', 'pause', 'abort', 'rollback', 'skip-cluster'],
    {},
  ],
  [
    'paused',
    { state: 'Paused', more: { paused: { by: 'u', since: NOW } } },
    ['resume', 'abort', 'rollback', 'skip-cluster'],
    { pause: 'AlreadyPaused' },
  ],
  [
    'paused at a gate',
    { state: 'Paused', more: { ...AT_GATE, paused: { by: 'u', since: NOW } } },
    ['promote', 'resume', 'abort', 'rollback', 'skip-cluster'],
    {},
  ],
  [
    'stopped by failures',
    {
      state: 'Waiting',
      targets: { a: FAILED },
      more: { overBudget: { failed: 1, max: 0, since: NOW } },
    },
    ['pause', 'abort', 'rollback', 'retry', 'skip-cluster'],
    {},
  ],
  [
    'with a change since the preview',
    { targets: { a: { state: 'Blocked', changedRisks: { message: 'm', risks: ['x'] } } } },
    ['pause', 'abort', 'rollback', 'skip-cluster', 'accept'],
    {},
  ],
  [
    'with another plan than previewed',
    { more: { planChanged: { message: 'm', hash: 'h', since: NOW } } },
    ['pause', 'abort', 'rollback', 'skip-cluster', 'accept'],
    {},
  ],
  [
    'going back',
    {
      state: 'RollingBack',
      more: { rollback: { by: 'u', reason: 'r', since: NOW, scope: 'touched' } },
    },
    [],
    { pause: 'RollingBack', rollback: 'RollingBack', promote: 'RollingBack' },
  ],
  [
    'being stopped',
    { more: { aborted: { by: 'u', since: NOW } } },
    ['rollback'],
    { abort: 'Stopping', pause: 'Stopping' },
  ],
  [
    'succeeded',
    { state: 'Succeeded', targets: { a: DONE, b: DONE } },
    ['rollback'],
    { pause: 'Final', retry: 'Final' },
  ],
  [
    'succeeded without a write',
    { state: 'Succeeded', targets: { a: { state: 'Unchanged' }, b: { state: 'Unchanged' } } },
    [],
    { rollback: 'NothingToRollBack' },
  ],
  [
    'rolled back',
    { state: 'RolledBack', targets: { a: { state: 'RolledBack', touched: true } } },
    [],
    { rollback: 'NothingToRollBack' },
  ],
  ['stopped half-way', { state: 'Aborted', targets: { a: DONE } }, ['rollback'], {}],
];

/** What the page reads of a release, and sends back. */
function shownToAccept(run: ReleaseRun): Record<string, string> {
  return actionStates(run).accept.params as Record<string, string>;
}

describe('which actions a release takes', () => {
  it.each(CASES)('%s', (_name, sketch, allowed, why) => {
    const states = actionStates(runOf(sketch));
    expect(ACTIONS.filter(action => states[action].allowed)).toEqual(allowed);
    expect(
      Object.fromEntries(
        Object.keys(why).map(action => [action, states[action as ActionName].reasonCode]),
      ),
    ).toEqual(why);
  });

  it('says of whatever is not allowed why not', () => {
    for (const [, sketch] of CASES) {
      const denied = Object.values(actionStates(runOf(sketch))).filter(({ allowed }) => !allowed);
      expect(denied.every(({ reasonCode, message }) => reasonCode && message)).toBe(true);
    }
  });

  it('does not send a release back twice', () => {
    const run = runOf({ state: 'Succeeded', targets: { a: DONE, b: DONE } });
    expect(actionStates(run, { rolledBackBy: 'r2' }).rollback).toMatchObject({
      allowed: false,
      reasonCode: 'RolledBackAlready',
      params: { id: 'r2' },
    });
  });
});

const EACH_A = { cluster: 'a', namespace: 'production' };
const EACH_B = { cluster: 'b', namespace: 'production' };

describe('what an order changes', () => {
  const order = (request: object = {}) => ({ by: 'user:default/ada', now: NOW + 1, request });

  function changed(action: ActionName, sketch: Sketch, request?: object) {
    const before = runOf(sketch);
    const result = applyOrder(action, before, order(request));
    if ('refusal' in result) {
      throw new Error(`${action} was refused: ${result.refusal.message}`);
    }
    return { ...result, same: result.run === before };
  }

  it('every action that is allowed works, and tells who did it', () => {
    for (const [, sketch] of CASES.filter(
      ([, { state }]) => state !== 'Succeeded' && state !== 'Aborted',
    )) {
      const states = actionStates(runOf(sketch));
      for (const action of ACTIONS.filter(each => states[each].allowed)) {
        const { expectedStage, params } = states[action];
        const targets = action === 'skip-cluster' ? [EACH_A, EACH_B] : undefined;
        const asked = { expectedStage, targets, ...(action === 'accept' && params) };
        const [given, ...told] = changed(action, sketch, asked).events;
        expect(given).toMatchObject({ actor: 'user:default/ada' });
        expect(told.every(({ code }) => code === 'TargetState')).toBe(true);
      }
    }
  });

  it('pause, stop and roll back never fail because something progressed', () => {
    for (const [, sketch] of CASES) {
      for (const action of ['pause', 'abort', 'rollback'] as const) {
        expect('refusal' in applyOrder(action, runOf(sketch), order({ expectedStage: 99 }))).toBe(
          false,
        );
      }
    }
  });

  it.each([
    ['promote', { more: AT_GATE }],
    ['retry', { targets: { a: FAILED } }],
  ] as const)('%s is bound to the stage that the person saw', (action, sketch) => {
    expect(applyOrder(action, runOf(sketch), order({ expectedStage: 1 }))).toMatchObject({
      refusal: { code: 'StageMoved' },
    });
  });

  it('promotes this stage, or all that wait for people', () => {
    expect(changed('promote', { more: AT_GATE }).run.stages[0].promotedBy).toBe('user:default/ada');
    const { run } = changed('promote', { more: AT_GATE }, { full: true });
    expect(run.stages.map(({ promotedBy }) => promotedBy)).toEqual(['user:default/ada', undefined]);
  });

  it('tries again with clean counters, on the named clusters only', () => {
    const sketch = {
      targets: { a: FAILED, b: FAILED },
      more: { overBudget: { failed: 2, max: 0, since: NOW } },
    };
    const { run } = changed('retry', sketch, {
      targets: [{ cluster: 'a', namespace: 'production' }],
    });
    const states = Object.fromEntries(
      run.targets.map(({ key, state, failure }) => [key, [state, failure?.cause]]),
    );
    expect(states).toEqual({
      [keyOf('a')]: ['Pending', undefined],
      [keyOf('b')]: ['Failed', 'Timeout'] satisfies [TargetState, string],
    });
    expect(run.overBudget).toBeUndefined();
    expect(
      applyOrder(
        'retry',
        runOf(sketch),
        order({ targets: [{ cluster: 'c', namespace: 'production' }] }),
      ),
    ).toMatchObject({ refusal: { code: 'NotAllowed' } });
  });

  it('accepts exactly what is shown', () => {
    const blocked: Sketch = {
      targets: {
        a: {
          state: 'Blocked',
          acceptedRisks: ['x'],
          changedRisks: { message: 'm', risks: ['x', 'y'] },
        },
      },
    };
    const { risksHash } = shownToAccept(runOf(blocked));
    expect(changed('accept', blocked, { risksHash }).run.targets[0]).toMatchObject({
      acceptedRisks: ['x', 'y'],
      changedRisks: undefined,
    });
    const replanned: Sketch = { more: { planChanged: { message: 'm', hash: 'new', since: NOW } } };
    expect(applyOrder('accept', runOf(replanned), order({ planHash: 'old' }))).toMatchObject({
      refusal: { code: 'PlanChanged' },
    });
    expect(changed('accept', replanned, { planHash: 'new' }).run.planChanged).toBeUndefined();
  });

  const BLOCKED: Partial<TargetRun> = {
    state: 'Blocked',
    changedRisks: { message: 'm', risks: ['x'] },
  };

  it('accepts no cluster and no risk that came after the person looked', () => {
    const { risksHash } = shownToAccept(runOf({ targets: { a: BLOCKED } }));
    const later: Sketch[] = [
      { targets: { a: BLOCKED, b: BLOCKED } },
      { targets: { a: { ...BLOCKED, changedRisks: { message: 'm', risks: ['x', 'y'] } } } },
      { targets: { b: BLOCKED } },
    ];
    for (const sketch of later) {
      const now = runOf(sketch);
      expect(applyOrder('accept', now, order({ risksHash }))).toMatchObject({
        refusal: { code: 'PlanChanged', params: shownToAccept(now) },
      });
    }
  });

  it('rolls back the named clusters alone, also where they are all that was touched', () => {
    const { run } = changed('rollback', { targets: { a: DONE } }, { targets: [EACH_A] });
    expect(run.rollback).toBeUndefined();
    expect(run.targets[0].skip).toMatchObject({ by: 'user:default/ada' });
    expect(changed('rollback', { targets: { a: DONE } }).run.rollback).toMatchObject({
      scope: 'touched',
    });
  });

  it('accepts the named clusters alone', () => {
    const { run } = changed(
      'accept',
      { targets: { a: BLOCKED, b: BLOCKED } },
      { targets: [{ cluster: 'a', namespace: 'production' }] },
    );
    expect(run.targets.map(({ acceptedRisks }) => acceptedRisks)).toEqual([['x'], []]);
  });

  it('asks which clusters are accepted where nothing says it, and takes a plan without them', () => {
    const blocked: Sketch = {
      targets: { a: BLOCKED },
      more: { planChanged: { message: 'm', hash: 'new', since: NOW } },
    };
    expect(applyOrder('accept', runOf({ targets: { a: BLOCKED } }), order())).toMatchObject({
      refusal: { code: 'RisksNotNamed', message: expect.stringContaining('targets') },
    });
    expect(applyOrder('accept', runOf(blocked), order())).toMatchObject({
      refusal: { code: 'PlanNotNamed', message: expect.stringContaining('planHash') },
    });
    const targets = [{ cluster: 'a', namespace: 'production' }];
    const named = changed('accept', blocked, { targets }).run;
    expect(named.planChanged).toBeDefined();
    expect(named.targets[0].changedRisks).toBeUndefined();
    const { run } = changed('accept', blocked, { planHash: 'new' });
    expect(run.planChanged).toBeUndefined();
    expect(run.targets[0].changedRisks).toBeDefined();
  });

  it('leaves the run that was given as it was', () => {
    const before = runOf();
    applyOrder('pause', before, order());
    expect(before.paused).toBeUndefined();
  });
});
