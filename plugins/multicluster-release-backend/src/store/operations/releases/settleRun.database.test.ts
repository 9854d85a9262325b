import type { Knex } from 'knex';
import type { HoldRequest, ReleaseRun, RunEvent } from '../../../decide/types';
import { describeOnEachDatabase } from '../../__testUtils__/eachDatabase';
import {
  expireLease,
  NOON,
  sampleContent,
  sampleEvent,
  samplePlan,
  sampleRelease,
  startedRelease,
  withTarget,
  SERVICE,
} from '../../__testUtils__/samples';
import { countStatements } from '../../__testUtils__/countStatements';
import type { Lease, SettleResult } from '../../types';
import { listEvents } from '../events/listEvents';
import { listHolds } from '../holds/listHolds';
import { claimReleases } from '../leases/claimReleases';
import { findRunning } from '../running/findRunning';
import { createRelease } from './createRelease';
import { findRelease } from './findRelease';
import { loadRun } from './loadRun';
import { loadRuns } from './loadRuns';
import { settleRun } from './settleRun';

const clock = () => NOON;

interface Turned {
  events?: RunEvent[];
  hold?: HoldRequest;
  now?: number;
}

/** One turn whose decision is `change`. */
async function turn(
  database: Knex,
  lease: Lease,
  change: (run: ReleaseRun) => ReleaseRun,
  { events = [], hold, now = NOON }: Turned = {},
): Promise<SettleResult> {
  return database.transaction(async tx => {
    const before = await loadRun(tx, lease.releaseId, { lease, clock });
    if (before === undefined || before === 'claimLost') {
      return 'claimLost';
    }
    return settleRun(tx, {
      lease,
      before,
      run: change(before.run),
      events,
      hold,
      now,
    });
  });
}

async function runOf(database: Knex, id: string): Promise<ReleaseRun> {
  const loaded = (await loadRuns(database, [id])).get(id);
  if (!loaded) {
    throw new Error(`no release ${id}`);
  }
  return loaded.run;
}

const inventory = [
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    namespace: 'production',
    name: 'checkout',
    createdByUs: true,
  },
];

describeOnEachDatabase('settleRun', open => {
  it('reads back what a turn decided, with the revision raised by one', async () => {
    const database = await open();
    const lease = await startedRelease(database, { id: 'r1' });
    const change = (run: ReleaseRun): ReleaseRun => ({
      ...withTarget(run, 'cluster-b', {
        state: 'Applying',
        attempts: 1,
        inventory,
      }),
      state: 'Progressing',
      startedAt: NOON,
      paused: { by: 'user:default/ada', since: NOON },
    });
    const wanted = change(await runOf(database, 'r1'));
    expect(await turn(database, lease, change)).toBe('settled');
    expect(await runOf(database, 'r1')).toEqual(wanted);
    expect(await findRelease(database, 'r1')).toMatchObject({
      state: 'Progressing',
      startedAt: NOON,
      targetStates: { Pending: 1, Applying: 1 },
      revision: 2,
    });
  });

  it('writes nothing when nothing differs, whatever the order of keys', async () => {
    const database = await open();
    const lease = await startedRelease(database, { id: 'r1' });
    const statements = await countStatements(database, async () => {
      const same = (run: ReleaseRun) =>
        Object.fromEntries(Object.entries(run).reverse()) as unknown as ReleaseRun;
      expect(await turn(database, lease, same)).toBe('unchanged');
    });
    expect(statements.filter(sql => !/^select/i.test(sql))).toEqual([]);
    expect((await findRelease(database, 'r1'))?.revision).toBe(1);
  });

  it('takes a new time of report for nothing new only every 30 seconds', async () => {
    const database = await open();
    const lease = await startedRelease(database, { id: 'r1' });
    const report = (at: number) => (run: ReleaseRun) =>
      withTarget(run, 'cluster-a', { reportedAt: at });
    expect(await turn(database, lease, report(NOON))).toBe('settled');
    expect(await turn(database, lease, report(NOON + 20_000))).toBe('unchanged');
    expect(await turn(database, lease, report(NOON + 30_000))).toBe('settled');
    expect((await runOf(database, 'r1')).targets[0].reportedAt).toBe(NOON + 30_000);
  });

  it.each(['taken over', 'run out'])('writes nothing once the lease is %s', async loss => {
    const database = await open();
    const lease = await startedRelease(database, { id: 'r1' });
    const before = await database.transaction(tx => loadRun(tx, 'r1'));
    await expireLease(database, 'r1');
    if (loss === 'taken over') {
      await claimReleases(database, {
        holder: 'replica-2',
        leaseMilliseconds: 60_000,
        limit: 1,
        clock,
      });
    }
    const abort = (run: ReleaseRun): ReleaseRun => ({
      ...run,
      state: 'Failed',
    });
    expect(await turn(database, lease, abort)).toBe('claimLost');
    // A worker that slept between loading and settling gets no further.
    const late = await database.transaction(tx =>
      settleRun(tx, {
        lease,
        before: before!,
        run: abort(
          withTarget(before!.run, 'cluster-a', {
            state: 'Done',
            touched: true,
          }),
        ),
        events: [sampleEvent('Late')],
        now: NOON,
      }),
    );
    expect(late).toBe('claimLost');
    expect(await findRelease(database, 'r1')).toMatchObject({
      state: 'Pending',
      revision: 1,
    });
    expect(await findRunning(database, SERVICE)).toEqual([]);
    expect(await listEvents(database, { releaseId: 'r1', limit: 10 })).toHaveLength(1);
  });

  it('records what runs: wanted at the first write, observed when it is proven', async () => {
    const database = await open();
    const lease = await startedRelease(database, { id: 'r1' });
    const row = {
      service: SERVICE,
      cluster: 'cluster-a',
      namespace: 'production',
      releaseId: 'r1',
    };
    await turn(database, lease, run =>
      withTarget(run, 'cluster-a', {
        state: 'Applying',
        touched: true,
        sequence: 1,
        inventory,
      }),
    );
    expect(await findRunning(database, SERVICE)).toEqual([
      { ...row, wantedSequence: 1, inventory },
    ]);
    const done = (run: ReleaseRun) => withTarget(run, 'cluster-a', { state: 'Done' });
    await turn(database, lease, done, { now: NOON + 1 });
    const proven = {
      ...row,
      ...sampleContent('2.0.0'),
      wantedSequence: 1,
      observedSequence: 1,
      since: NOON + 1,
      inventory,
    };
    expect(await findRunning(database, SERVICE)).toEqual([proven]);
    await turn(database, lease, run => withTarget(run, 'cluster-a', { message: 'still fine' }), {
      now: NOON + 2,
    });
    expect(await findRunning(database, SERVICE)).toEqual([proven]);
  });

  it('records the way back, and nothing where nothing ran before', async () => {
    const database = await open();
    const lease = await startedRelease(database, { id: 'r1' });
    await turn(database, lease, run =>
      ['cluster-a', 'cluster-b'].reduce(
        (changed, cluster) =>
          withTarget(changed, cluster, {
            state: 'Done',
            touched: true,
            sequence: 1,
            inventory,
          }),
        run,
      ),
    );
    const back = samplePlan({ id: 'r1' }, 2);
    back.targets[0] = { ...back.targets[0], to: sampleContent('1.0.0') };
    back.targets[1] = { ...back.targets[1], to: undefined };
    const rolledBack = (run: ReleaseRun): ReleaseRun => ({
      ...run,
      plans: [...run.plans, back],
      sequences: { ...run.sequences, 2: 2 },
      lastSequence: 2,
      state: 'RolledBack',
      targets: run.targets.map(target => ({
        ...target,
        plan: 2,
        state: 'RolledBack',
        sequence: 2,
      })),
    });
    await turn(database, lease, rolledBack);
    expect(await findRunning(database, SERVICE)).toMatchObject([
      {
        cluster: 'cluster-a',
        version: '1.0.0',
        wantedSequence: 2,
        observedSequence: 2,
      },
    ]);
    expect((await database('services').first()).last_sequence).toBe(2);
    expect((await runOf(database, 'r1')).plans).toHaveLength(2);
    const digests = await database('content_references').select('digest').orderBy('digest');
    expect(digests.map(row => row.digest)).toEqual([
      sampleContent('1.0.0').digest,
      sampleContent('2.0.0').digest,
    ]);
  });

  it('does not take an untouched cluster of a rolled-back release for one with the new version', async () => {
    const database = await open();
    const lease = await startedRelease(database, { id: 'r1' });
    await turn(database, lease, run => withTarget(run, 'cluster-a', { state: 'Unchanged' }));
    expect(await findRunning(database, SERVICE)).toEqual([]);
  });

  it('records another version with the same content as running, since before', async () => {
    const database = await open();
    const first = await startedRelease(database, {
      id: 'r1',
      clusters: ['cluster-a'],
    });
    const finish = (run: ReleaseRun): ReleaseRun => ({
      ...withTarget(run, 'cluster-a', {
        state: 'Done',
        touched: true,
        sequence: 1,
        inventory,
      }),
      state: 'Succeeded',
      needsWork: false,
    });
    await turn(database, first, finish);
    const release = sampleRelease({
      id: 'r2',
      clusters: ['cluster-a'],
      now: NOON + 9,
    });
    const content = { ...sampleContent('2.0.0'), version: '2.0.0-again' };
    Object.assign(release.plan.targets[0], {
      from: sampleContent('2.0.0'),
      to: content,
      unchanged: true,
    });
    const begin: typeof release.begin = context => {
      const { run, events } = sampleRelease({
        id: 'r2',
        clusters: ['cluster-a'],
      }).begin(context);
      return {
        run: {
          ...withTarget(run, 'cluster-a', { state: 'Unchanged' }),
          plans: [release.plan],
        },
        events,
      };
    };
    await createRelease(database, { ...release, begin });
    expect(await findRunning(database, SERVICE)).toMatchObject([
      {
        version: '2.0.0-again',
        releaseId: 'r2',
        since: NOON,
        wantedSequence: 1,
        inventory,
      },
    ]);
  });

  it('does not say of a queued release that its content runs already: it only expects it', async () => {
    const database = await open();
    await startedRelease(database, { id: 'r1', clusters: ['cluster-a'] });
    const release = sampleRelease({ id: 'r2', clusters: ['cluster-a'], now: NOON + 9 });
    Object.assign(release.plan.targets[0], { from: sampleContent('2.0.0'), unchanged: true });
    const begin: typeof release.begin = context => {
      const { run, events } = release.begin(context);
      const { queuedBehind } = context;
      return {
        run: { ...withTarget(run, 'cluster-a', { state: 'Unchanged' }), queuedBehind },
        events,
      };
    };
    await createRelease(database, { ...release, begin });
    expect(await findRunning(database, SERVICE)).toEqual([]);
  });

  it('places a hold once, and writes events that a reader can follow', async () => {
    const database = await open();
    const lease = await startedRelease(database, { id: 'r1' });
    const events = [
      sampleEvent('TargetFailed', {
        kind: 'target',
        key: 'cluster-a/production',
        stage: 0,
      }),
      sampleEvent('RollbackStarted', {
        params: { count: 1 },
        reason: 'HealthFailed',
      }),
    ];
    const hold = { version: '2.0.0', reason: 'crashed' };
    await turn(database, lease, run => run, { events, hold });
    await turn(database, lease, run => run, {
      hold: { ...hold, reason: 'again' },
    });
    const holds = await listHolds(database, { services: [SERVICE] });
    expect(holds.items).toMatchObject([
      { version: '2.0.0', reason: 'crashed', releaseId: 'r1', since: NOON },
    ]);
    const all = await listEvents(database, { releaseId: 'r1', limit: 10 });
    expect(all.map(event => event.code)).toEqual([
      'ReleaseCreated',
      'TargetFailed',
      'RollbackStarted',
    ]);
    const rest = await listEvents(database, {
      releaseId: 'r1',
      after: all[0].id,
      limit: 10,
    });
    expect(rest).toEqual(all.slice(1));
    expect(rest[0]).toMatchObject({
      cluster: 'cluster-a',
      namespace: 'production',
      stage: 0,
      at: NOON,
    });
  });

  it('survives characters that PostgreSQL does not take', async () => {
    const database = await open();
    const lease = await startedRelease(database, { id: 'r1' });
    const odd = 'exec format error\0';
    const change = (run: ReleaseRun) => withTarget(run, 'cluster-a', { message: odd });
    const events = [sampleEvent('Odd', { message: odd, reason: odd })];
    const hold = { version: '2.0.0', reason: odd };
    expect(await turn(database, lease, change, { events, hold })).toBe('settled');
    expect((await runOf(database, 'r1')).targets[0].message).toBe(odd);
    const [event] = await listEvents(database, {
      releaseId: 'r1',
      after: 1,
      limit: 1,
    });
    expect(event.message).toBe('exec format error\uFFFD');
  });

  it.each([
    ['Failed', undefined],
    ['Aborted', undefined],
    ['Succeeded', 'back'],
  ] as const)('a rollback that ends %s leaves the release rolled back by %s', async (state, by) => {
    const database = await open();
    await createRelease(database, sampleRelease({ id: 'bad' }));
    await database('releases').update({ state: 'Succeeded', needs_work: false });
    await createRelease(database, { ...sampleRelease({ id: 'back' }), rolledBackFrom: 'bad' });
    const [lease] = await claimReleases(database, {
      holder: 'h',
      leaseMilliseconds: 60_000,
      limit: 1,
      clock,
    });
    expect(await turn(database, lease, run => ({ ...run, state }))).toBe('settled');
    expect((await findRelease(database, 'bad'))?.rolledBackBy).toBe(by);
  });

  it('relinks the queue when a release ends that still waited in it', async () => {
    const database = await open();
    for (const id of ['r1', 'r2', 'r3']) {
      await createRelease(database, sampleRelease({ id }));
    }
    const leases = await claimReleases(database, {
      holder: 'one',
      leaseMilliseconds: 60_000,
      limit: 3,
      clock,
    });
    const second = leases.find(lease => lease.releaseId === 'r2')!;
    await turn(database, second, run => ({
      ...run,
      state: 'Aborted',
      needsWork: false,
    }));
    expect((await findRelease(database, 'r3'))?.queuedBehind).toBe('r1');
  });

  it('drops what an older final release had left to do on a target that a newer one writes to', async () => {
    const database = await open();
    const older = await startedRelease(database, { id: 'old' });
    await turn(database, older, run => ({
      ...withTarget(withTarget(run, 'cluster-a', { state: 'Offline' }), 'cluster-b', {
        state: 'Offline',
      }),
      state: 'CompletedWithPending',
    }));
    const newer = await startedRelease(database, {
      id: 'new',
      clusters: ['cluster-a'],
    });
    await turn(database, newer, run =>
      withTarget(run, 'cluster-a', {
        state: 'Applying',
        touched: true,
        sequence: 2,
      }),
    );
    const states = (await runOf(database, 'old')).targets.map(target => [
      target.state,
      target.message,
    ]);
    expect(states).toEqual([
      ['Skipped', 'superseded by release new'],
      ['Offline', undefined],
    ]);
    expect(await findRelease(database, 'old')).toMatchObject({
      revision: 3,
      needsWork: true,
    });
    const events = await listEvents(database, { releaseId: 'old', limit: 10 });
    expect(events.at(-1)).toMatchObject({
      code: 'TargetSuperseded',
      cluster: 'cluster-a',
    });
  });

  it('sends one statement per table, for ten targets as for a thousand', async () => {
    const counts: number[] = [];
    for (const size of [10, 1000]) {
      const database = await open();
      const clusters = Array.from({ length: size }, (_, index) => `cluster-${index}`);
      const lease = await startedRelease(database, { id: 'r1', clusters });
      const all = (run: ReleaseRun): ReleaseRun => ({
        ...run,
        targets: run.targets.map(target => ({
          ...target,
          state: 'Done',
          touched: true,
          sequence: 1,
          inventory,
        })),
      });
      const events = clusters.map(() => sampleEvent('TargetDone'));
      const statements = await countStatements(database, () =>
        turn(database, lease, all, { events }),
      );
      counts.push(statements.length);
      expect((await findRelease(database, 'r1'))?.targetStates).toEqual({
        Done: size,
      });
    }
    // Loading 4; release, targets, running, events and the look for superseded targets 5.
    expect(counts[0]).toBe(9);
    // A thousand rows need three statements of at most 400 rows for each of three tables.
    expect(counts[1]).toBe(15);
  });
});
