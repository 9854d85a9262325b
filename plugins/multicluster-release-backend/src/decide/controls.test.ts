import { retryFailed } from './retry';
import { Bench, MINUTE, planOf } from './testing';
import type { ReleaseRun, StopOrder } from './types';

const ANN = 'user:default/ann';
const STOP: StopOrder = {
  id: 's1',
  by: ANN,
  reason: 'the network burns',
  since: 0,
  allowRollback: false,
  clusters: ['a', 'b'],
};

const codes = ({ waiting }: ReleaseRun) => waiting.map(({ code }) => code);
const kinds = (bench: Bench) =>
  bench.effects.map(({ kind, target }) => `${kind} ${target.cluster}`);
const told = (bench: Bench) => bench.events.map(({ code }) => code);

function vote(bench: Bench, by: string, stage = 0) {
  bench.run.stages[stage].approvals?.forEach(question =>
    question.votes.push({ by, at: bench.now, planHash: bench.run.plans[0].hash }),
  );
}

describe('emergency stops', () => {
  it('are what the whole release waits for once all other clusters are done', () => {
    const bench = new Bench(planOf([{ clusters: ['a', 'c'] }]));
    bench.controls.stops = [STOP];
    bench.sees('c', { health: 'Healthy' }).settle();
    expect(bench.states()).toEqual({ a: 'Pending', c: 'Done' });
    expect(bench.run).toMatchObject({ state: 'Waiting', waiting: [{ code: 'stopall' }] });
  });

  it('start nothing, halt what runs, and go on when they are lifted', () => {
    const bench = new Bench(planOf([{ clusters: ['a', 'b', 'c'] }])).turn();
    expect(kinds(bench)).toEqual(['check a', 'check b', 'check c']);
    bench.controls.stops = [STOP];
    bench.turn();
    expect(bench.decision?.halt).toEqual(['a/production', 'b/production']);
    expect(bench.run.state).toBe('Progressing');
    bench.finish().turn();
    expect(kinds(bench)).toEqual(['apply c']);
    expect(bench.states()).toEqual({ a: 'Pending', b: 'Pending', c: 'Applying' });
    expect(bench.run.waiting[0]).toMatchObject({ code: 'stopall', params: { who: ANN, id: 's1' } });
    expect(bench.run.state).toBe('Progressing');
    expect(bench.applied()).toEqual(['c']);
    bench.controls.stops = [];
    bench.finish().turn();
    expect(kinds(bench)).toEqual(['check a', 'check b']);
  });

  it('hold an automatic rollback too, unless rollbacks are allowed', () => {
    const bench = new Bench(planOf([{ clusters: ['a'] }])).settle();
    bench.controls.stops = [STOP];
    bench
      .sees('a', { health: 'Failed' })
      .turn()
      .turn(60 * MINUTE);
    expect(bench.run.state).toBe('RollingBack');
    expect(bench.states()).toEqual({ a: 'RollingBack' });
    expect(kinds(bench)).toEqual([]);
    expect(codes(bench.run)[0]).toBe('stopall');
    bench.controls.stops = [{ ...STOP, allowRollback: true }];
    expect(kinds(bench.turn())).toEqual(['apply a']);
  });

  it('let time-outs stand still', () => {
    const bench = new Bench(planOf([{ clusters: ['a'] }])).settle();
    const { timeoutAt = 0 } = bench.run.targets[0];
    bench.controls.stops = [STOP];
    bench.turn().turn(60 * MINUTE);
    bench.controls.stops = [];
    bench.turn();
    expect(bench.states()).toEqual({ a: 'Verifying' });
    expect(bench.run.targets[0].timeoutAt).toBe(timeoutAt + 60 * MINUTE);
  });

  it('make a new holder stamp nothing anew before they are lifted', () => {
    const bench = new Bench(planOf([{ clusters: ['a'] }])).settle();
    bench.controls.stops = [STOP];
    bench.ticket = 2;
    expect(kinds(bench.turn().turn(1_000))).toEqual([]);
    bench.controls.stops = [];
    expect(kinds(bench.turn())).toEqual(['apply a']);
  });
});

describe('windows', () => {
  const night = {
    cron: '0 22 * * *',
    durationMilliseconds: 2 * 60 * MINUTE,
    timeZone: 'UTC',
    kind: 'allow',
  } as const;
  const TEN_HOURS = 10 * 60 * MINUTE;

  it('closed: start no cluster, and say when they open; what runs goes on', () => {
    const bench = new Bench(planOf([{ clusters: ['a'] }, { clusters: ['b'] }])).settle();
    bench.controls.windows = [night];
    bench.sees('a', { health: 'Healthy' }).turn().finish().turn();
    expect(bench.states()).toEqual({ a: 'Done', b: 'Pending' });
    expect(bench.run.waiting[0]).toMatchObject({
      code: 'window',
      params: { zone: 'UTC', time: bench.now + TEN_HOURS },
      until: bench.now + TEN_HOURS,
    });
    expect(bench.run.state).toBe('Waiting');
    expect(bench.decision?.wakeAt).toBeLessThanOrEqual(bench.now + TEN_HOURS);
    expect(kinds(bench.turn(TEN_HOURS))).toEqual(['check b']);
  });

  it.each([
    ['of the platform', (bench: Bench, deny: object) => Object.assign(bench.controls, deny)],
    [
      'of its policy',
      (bench: Bench, deny: object) => Object.assign(bench.run.plans[0].rules, deny),
    ],
  ])('a deny wins over an allow: %s', (_name, place) => {
    const bench = new Bench(planOf([{ clusters: ['a'] }]));
    const always = { ...night, cron: '0 0 * * *', durationMilliseconds: 24 * 60 * MINUTE };
    const noon = { ...night, cron: '0 12 * * *', kind: 'deny', name: 'lunch' };
    place(bench, { windows: [always, noon] });
    bench.turn();
    expect(kinds(bench)).toEqual([]);
    expect(bench.run.waiting[0]).toMatchObject({ code: 'freeze', params: { name: 'lunch' } });
  });

  it('do not hold a rollback', () => {
    const bench = new Bench(planOf([{ clusters: ['a'] }])).settle();
    bench.controls.windows = [night];
    bench.sees('a', { health: 'Failed' }).turn();
    expect(kinds(bench)).toEqual(['apply a']);
  });
});

describe('cordons, leavers and other services', () => {
  it('does not pick a cordoned cluster, and lets the others go on (C50)', () => {
    const bench = new Bench(planOf([{ clusters: ['a', 'b'], concurrency: 1 }]));
    bench.controls.cordons = { a: { by: ANN, reason: 'new switch', since: 0 } };
    bench.sees('b', { health: 'Healthy' }).settle();
    expect(bench.states()).toEqual({ a: 'Pending', b: 'Done' });
    expect(bench.run.waiting[0]).toMatchObject({
      code: 'cordoned',
      params: { cluster: 'a', who: ANN },
    });
    expect(bench.run.state).toBe('Waiting');
    bench.controls.cordons = {};
    expect(bench.sees('a', { health: 'Healthy' }).settle().run.state).toBe('Succeeded');
  });

  it('passes over a cluster that left the fleet, with a mark (C24)', () => {
    const bench = new Bench(planOf([{ clusters: ['a', 'b'] }]));
    bench.controls.left = ['a'];
    bench.sees('b', { health: 'Healthy' }).settle();
    expect(bench.states()).toEqual({ a: 'Skipped', b: 'Done' });
    expect(bench.run.state).toBe('Succeeded');
    expect(bench.run.targets[0].message).toBe('left the fleet');
    expect(told(bench)).toContain('TargetLeft');
  });

  const CONFIG = 'component:default/config';
  const runs = (cluster: string, version?: string) => ({
    service: CONFIG,
    cluster,
    namespace: 'production',
    version,
  });
  it.each([
    ['same', [], false],
    ['same', [runs('a', '1.4.2')], true],
    ['same', [runs('b', '1.4.2')], false],
    ['same', [runs('a', '1.3.0')], false],
    ['same', [runs('a')], false],
    ['all', [runs('a', '1.4.2'), runs('b', '1.3.0')], false],
    ['all', [runs('a', '1.4.2'), runs('b', '2.0.0')], true],
    [['hub'], [runs('a', '1.4.2')], false],
    [['hub'], [runs('hub', '1.4.2')], true],
  ] as const)('waits for a service on %s that runs %j: started %s', (on, dependencies, starts) => {
    const dependsOn = [
      { service: CONFIG, version: '>=1.4', on: typeof on === 'string' ? on : [...on] },
    ];
    const bench = new Bench(planOf([{ clusters: ['a'] }], { dependsOn }));
    bench.controls.dependencies = [...dependencies];
    bench.turn();
    expect(kinds(bench)).toEqual(starts ? ['check a'] : []);
    const causes = bench.run.waiting.filter(({ code }) => code === 'dependsOn');
    expect(causes.map(({ params }) => params.service)).toEqual(starts ? [] : [CONFIG]);
    expect(bench.decision?.wakeAt !== undefined || starts).toBe(true);
  });
});

describe('the bound on unavailable clusters (C28)', () => {
  it('sends the fix to the broken cluster first, and the others wait for it', () => {
    const bench = new Bench(planOf([{ clusters: ['a', 'b', 'e'] }], { maxUnavailable: 1 }));
    bench.run.targets[2].brokenBefore = true;
    bench.turn();
    expect(kinds(bench)).toEqual(['check e']);
    bench.sees('e', { health: 'Healthy' }).settle();
    expect(bench.states()).toEqual({ a: 'Verifying', b: 'Pending', e: 'Done' });
  });
});

describe('a way back to what was broken before (C31)', () => {
  it('is not taken by itself: a person decides, and may send it there all the same', () => {
    const bench = new Bench(planOf([{ clusters: ['a'] }]));
    bench.run.targets[0].brokenBefore = true;
    bench.settle().sees('a', { health: 'Failed' }).settle();
    expect(bench.run).toMatchObject({ state: 'Waiting', overBudget: { failed: 1 } });
    expect(bench.states()).toEqual({ a: 'Failed' });
    expect(kinds(bench)).toEqual([]);
    bench.run.rollback = { by: ANN, reason: 'still better', since: bench.now, scope: 'touched' };
    bench.sees('a', { health: 'Healthy' }).settle();
    expect(bench.states()).toEqual({ a: 'RolledBack' });
  });

  it('leaves that cluster as it is while the others go back, and says so', () => {
    const bench = new Bench(planOf([{ clusters: ['a', 'b'] }]));
    bench.run.targets[0].brokenBefore = true;
    bench.settle().sees('a', { health: 'Healthy' }).sees('b', { health: 'Failed' }).turn();
    bench.sees('b', { health: 'Healthy' }).settle();
    expect(bench.states()).toEqual({ a: 'Done', b: 'RolledBack' });
    expect(bench.run.state).toBe('Failed');
    expect(bench.events.at(-1)?.message).toContain('but for a');
  });

  it('is not taken within the failure limit either', () => {
    const bench = new Bench(planOf([{ clusters: ['a', 'b'] }], { maxFailures: 1 }));
    bench.run.targets[0].brokenBefore = true;
    bench.settle().sees('a', { health: 'Failed' }).sees('b', { health: 'Healthy' }).settle();
    expect(bench.states()).toEqual({ a: 'Failed', b: 'Done' });
    expect(bench.run.state).toBe('Succeeded');
    expect(bench.events).toContainEqual(expect.objectContaining({ code: 'TargetLeft' }));
  });
});

describe('what was broken before and has its turn later', () => {
  it('does not use up the bound of the clusters before it', () => {
    const plan = planOf([{ clusters: ['a'] }, { clusters: ['e'] }], { maxUnavailable: 1 });
    const bench = new Bench(plan);
    bench.run.targets[1].brokenBefore = true;
    expect(kinds(bench.turn())).toEqual(['check a']);
  });

  it('lets the others go on past a failed cluster where the policy continues', () => {
    const rules = { maxUnavailable: 1, onFailure: 'Continue' } as const;
    const bench = new Bench(planOf([{ clusters: ['a', 'b'] }], rules)).settle();
    expect(bench.states()).toEqual({ a: 'Verifying', b: 'Pending' });
    bench.sees('a', { health: 'Failed' }).turn();
    expect(kinds(bench)).toEqual(['check b']);
  });
});

describe('approvals', () => {
  it('before a stage are asked before its first cluster, and need the wanted number of people', () => {
    const bench = new Bench(
      planOf([{ clusters: ['a'], before: { required: 2, from: ['group:default/sre'] } }]),
    );
    bench.turn();
    expect(kinds(bench)).toEqual([]);
    expect(bench.run.waiting[0]).toMatchObject({
      code: 'approval',
      params: { n: 2, who: 'group:default/sre' },
    });
    expect(bench.run.state).toBe('Waiting');
    vote(bench, ANN);
    vote(bench, ANN);
    expect(bench.turn().run.waiting[0]).toMatchObject({ params: { n: 1 } });
    vote(bench, 'user:default/bob');
    expect(kinds(bench.turn())).toEqual(['check a']);
    expect(bench.run.state).toBe('Progressing');
    expect(told(bench)).toEqual(expect.arrayContaining(['ApprovalAsked', 'ApprovalPassed']));
  });

  it('after a stage are asked while it is still observed, and both must be over', () => {
    const bench = new Bench(planOf([{ clusters: ['a'], gate: 10 * MINUTE, after: {} }]));
    bench.sees('a', { health: 'Healthy' }).settle();
    expect(codes(bench.run)).toEqual(['soak', 'approval']);
    vote(bench, ANN);
    expect(bench.turn().run.state).not.toBe('Succeeded');
    expect(bench.turn(10 * MINUTE).run.state).toBe('Succeeded');
  });

  it('that have expired are asked anew, and votes for another plan do not count', () => {
    const bench = new Bench(
      planOf([{ clusters: ['a'], before: { expiresMilliseconds: MINUTE, required: 2 } }]),
    );
    bench.turn();
    vote(bench, ANN);
    bench.turn(2 * MINUTE);
    expect(bench.run.stages[0].approvals?.[0]).toMatchObject({ votes: [], askedAt: bench.now });
    expect(told(bench)).toContain('ApprovalExpired');
    bench.run.stages[0].approvals?.[0].votes.push(
      { by: ANN, at: bench.now, planHash: 'sha256:other' },
      { by: 'user:default/bob', at: bench.now, planHash: 'sha256:other' },
    );
    expect(kinds(bench.turn())).toEqual([]);
  });
});

describe('Jobs', () => {
  const jobs = [{ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'smoke' } }];
  const inventory = [{ apiVersion: 'batch/v1', kind: 'Job', name: 'smoke-5-0', createdByUs: true }];
  const says = (verdict: 'passed' | 'failed' | 'running') =>
    ({
      a: { result: 'done', data: { kind: 'analyse', verdict, inventory, message: 'exit code 1' } },
    } as const);

  function atJob(rules = {}) {
    const bench = new Bench(planOf([{ clusters: ['a'], jobs }], rules));
    bench.sees('a', { health: 'Healthy' }).turn().finish().turn().finish().turn();
    expect(bench.effects).toMatchObject([{ kind: 'analyse', jobs }]);
    return bench;
  }

  it('that run are asked again, without counting as failed tries', () => {
    const bench = atJob().finish(says('running')).turn();
    expect(kinds(bench)).toEqual([]);
    expect(bench.run.targets[0].retries).toBeUndefined();
    expect(kinds(bench.turn(2_000))).toEqual(['analyse a']);
    expect(bench.finish(says('passed')).turn().settle().run.state).toBe('Succeeded');
  });

  it('run once for an attempt, also where its stamp has to be written again after them', () => {
    const bench = atJob().finish(says('passed')).turn();
    expect(kinds(bench)).toEqual(['remove a']);
    bench.ticket = 2;
    bench.effects = [];
    expect(kinds(bench.turn())).toEqual(['apply a']);
    expect(kinds(bench.finish().turn().turn())).toEqual(['remove a']);
  });

  it('run anew when a person lets the cluster try again', () => {
    const bench = atJob({ onFailure: 'Pause' });
    const first = bench.effects[0].id;
    bench.finish(says('failed')).turn();
    retryFailed(bench.run);
    bench.turn().finish().turn().finish().turn();
    expect(bench.effects).toMatchObject([{ kind: 'analyse' }]);
    expect(bench.effects[0].id).not.toBe(first);
  });

  it('that fail are a failure of their own cause', () => {
    const bench = atJob().finish(says('failed')).turn();
    expect(bench.run.targets[0].failure).toMatchObject({
      cause: 'MetricFailed',
      message: 'exit code 1',
    });
    expect(bench.run.state).toBe('RollingBack');
    const pausing = atJob({ rollbackOn: ['HealthFailed'] })
      .finish(says('failed'))
      .turn();
    expect(pausing.run.overBudget).toBeDefined();
  });
});

describe('what people let go', () => {
  it('skips a wait, and still needs the cluster to be healthy', () => {
    const bench = new Bench(planOf([{ clusters: ['a'], gate: 60 * MINUTE }]));
    bench.sees('a', { health: 'Healthy' }).settle();
    const gate = bench.run.plans[0].stages[0].steps.at(-1)?.id ?? '';
    bench.run.stages[0].skipped = [{ stepId: gate, by: ANN, at: bench.now }];
    bench.sees('a', { health: 'Progressing' });
    expect(bench.turn().run.state).not.toBe('Succeeded');
    bench.sees('a', { health: 'Healthy' });
    expect(bench.turn().run.state).toBe('Succeeded');
  });

  it('takes clusters out: what was not written is passed over, what was goes back alone', () => {
    const bench = new Bench(planOf([{ clusters: ['a', 'b'], concurrency: 1 }])).settle();
    const skip = { by: ANN, at: bench.now };
    bench.run.targets.forEach(target => Object.assign(target, { skip }));
    bench.turn();
    expect(bench.states()).toEqual({ a: 'RollingBack', b: 'Skipped' });
    expect(bench.run.state).not.toBe('RollingBack');
    expect(bench.sees('a', { health: 'Healthy' }).settle().states()).toMatchObject({
      a: 'RolledBack',
    });
  });
});

describe('a newer release that supersedes', () => {
  it('lets the running cluster finish, starts no other, and ends as superseded', () => {
    const bench = new Bench(planOf([{ clusters: ['a', 'b'], concurrency: 1 }])).settle();
    bench.run.superseded = { by: ANN, since: bench.now };
    bench.sees('a', { health: 'Healthy' }).settle();
    expect(bench.run.state).toBe('Superseded');
    expect(bench.states()).toEqual({ a: 'Done', b: 'Skipped' });
  });

  it('comes in where the other stopped, without asking again', () => {
    const bench = new Bench(planOf([{ clusters: ['a'] }], { onNewer: 'Supersede' }));
    bench.run.queuedBehind = 'r0';
    const content = { digest: '1.5.0@a', version: '1.5.0' };
    const current = new Map([['a/production', { content, sequence: 4, inventory: [] }]]);
    bench.queue = { aheadEnded: true, current };
    bench.turn();
    expect(bench.run.planChanged).toBeUndefined();
    expect(kinds(bench)).toEqual(['check a']);
    expect(bench.run.targets[0].from).toEqual(content);
  });
});
