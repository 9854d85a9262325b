import type { Decision, Inputs, ReleaseRun } from '../../../decide/types';
import { describeOnEachDatabase } from '../../__testUtils__/eachDatabase';
import {
  expireLease,
  NOON,
  sampleContent,
  sampleRelease,
  startedRelease,
  withTarget,
} from '../../__testUtils__/samples';
import { claimReleases } from '../leases/claimReleases';
import { releaseLeases } from '../leases/releaseLeases';
import { placeStop } from '../stops/placeStop';
import { createRelease } from './createRelease';
import { runTurn, type QueuedPlan } from './runTurn';

const clock = () => NOON;
const decision = (run: ReleaseRun): Decision => ({
  run,
  effects: [],
  observe: [],
  events: [],
  halt: [],
  measure: [],
  measurements: [],
});

const fleet = (names: string[]) => ({
  clusters: names.map(name => ({ name, groups: [] })),
  left: [],
});

const reselect = async () => ({ untrusted: 'nobody has looked' });

describeOnEachDatabase('runTurn', open => {
  it('answers the decision with the revision after it', async () => {
    const database = await open();
    const lease = await startedRelease(database, { id: 'r1' });
    const idle = await runTurn(database, {
      lease,
      clock,
      fleet,
      reselect,
      turn: ({ run }) => decision(run),
    });
    expect(idle).toMatchObject({ result: 'unchanged', revision: 1 });
    const turn = ({ run }: { run: ReleaseRun }) => decision({ ...run, state: 'Progressing' });
    expect(await runTurn(database, { lease, clock, fleet, reselect, turn })).toMatchObject({
      result: 'settled',
      revision: 2,
      decision: { run: { state: 'Progressing' } },
    });
  });

  it('writes down that nothing is left to do, whoever has given it work', async () => {
    const database = await open();
    const lease = await startedRelease(database, { id: 'r1' });
    const end = ({ run }: { run: ReleaseRun }) =>
      decision({ ...run, state: 'Aborted', needsWork: false });
    await runTurn(database, { lease, clock, fleet, reselect, turn: end });
    await database('releases').where('id', 'r1').update({ needs_work: true });
    const turn = ({ run }: { run: ReleaseRun }) => decision({ ...run, needsWork: false });
    await runTurn(database, { lease, clock, fleet, reselect, turn });
    expect(await database('releases').where('needs_work', true)).toEqual([]);
  });

  it('does not even decide without the lease', async () => {
    const database = await open();
    const lease = await startedRelease(database, { id: 'r1' });
    await expireLease(database, 'r1');
    const turn = jest.fn();
    expect(await runTurn(database, { lease, clock, fleet, reselect, turn })).toEqual({
      result: 'claimLost',
    });
    expect(turn).not.toHaveBeenCalled();
  });

  it('tells a queued release when its turn has come, and what runs by then', async () => {
    const database = await open();
    const ahead = await startedRelease(database, {
      id: 'r1',
      clusters: ['cluster-a'],
    });
    await createRelease(
      database,
      sampleRelease({ id: 'r2', clusters: ['cluster-a'], now: NOON + 1 }),
    );
    const [queued] = await claimReleases(database, {
      holder: 'replica-1',
      leaseMilliseconds: 60_000,
      limit: 1,
      exclude: ['r1'],
      clock,
    });
    const seen: Inputs['queue'][] = [];
    const looked: QueuedPlan[] = [];
    const look = (lease = queued) =>
      runTurn(database, {
        lease,
        clock,
        fleet,
        reselect: queuedPlan => {
          looked.push(queuedPlan);
          return reselect();
        },
        turn: ({ run }, { queue }) => {
          seen.push(queue);
          return decision(run);
        },
      });
    await look(ahead);
    await look();
    const end = ({ run }: { run: ReleaseRun }) => {
      const done = withTarget(run, 'cluster-a', {
        state: 'Done',
        touched: true,
        sequence: 1,
      });
      return decision({ ...done, state: 'Succeeded', needsWork: false });
    };
    await runTurn(database, { lease: ahead, clock, fleet, reselect, turn: end });
    await look();
    expect(seen).toEqual([
      undefined,
      { aheadEnded: false, current: new Map() },
      {
        aheadEnded: true,
        current: new Map([
          [
            'cluster-a/production',
            expect.objectContaining({ content: sampleContent('2.0.0'), sequence: 1 }),
          ],
        ]),
        reselected: { untrusted: 'nobody has looked' },
      },
    ]);
    expect(looked).toMatchObject([
      { plan: { hash: 'sha256:r2-1' }, spec: { service: 'component:default/checkout' } },
    ]);
  });

  it('tells a queued release that its version has come on hold, and gives it work when its turn comes', async () => {
    const database = await open();
    const ahead = await startedRelease(database, { id: 'r1', clusters: ['cluster-a'] });
    await createRelease(
      database,
      sampleRelease({ id: 'r2', clusters: ['cluster-a'], now: NOON + 1 }),
    );
    const claim = () =>
      claimReleases(database, {
        holder: 'replica-1',
        leaseMilliseconds: 60_000,
        limit: 5,
        exclude: ['r1'],
        clock,
      });
    const [queued] = await claim();
    const turn = (lease: typeof ahead, change: (run: ReleaseRun) => Decision) =>
      runTurn(database, { lease, clock, fleet, reselect, turn: ({ run }) => change(run) });
    // It waits for the one ahead: nothing to do.
    await turn(queued, run => decision({ ...run, needsWork: false }));
    await releaseLeases(database, [queued]);
    expect(await claim()).toEqual([]);

    await turn(ahead, run => ({
      ...decision({ ...run, state: 'RolledBack', needsWork: false }),
      hold: { version: '2.0.0', reason: 'crashed on cluster-a' },
    }));
    const [again] = await claim();
    expect(again.releaseId).toBe('r2');
    const seen: Inputs['queue'][] = [];
    await runTurn(database, {
      lease: again,
      clock,
      fleet,
      reselect,
      turn: ({ run }, { queue }) => {
        seen.push(queue);
        return decision(run);
      },
    });
    expect(seen).toMatchObject([{ aheadEnded: true, hold: 'crashed on cluster-a' }]);
  });

  it('reads what the platform has ordered, and who has left the fleet', async () => {
    const database = await open();
    const lease = await startedRelease(database, {
      id: 'r1',
      clusters: ['cluster-a', 'cluster-b'],
    });
    await placeStop(database, {
      id: 's1',
      scope: { clusters: ['cluster-b'] },
      reason: 'the network burns',
      allowRollback: false,
      by: 'user:default/ada',
      now: NOON,
    });
    const seen: Inputs['controls'][] = [];
    await runTurn(database, {
      lease,
      clock,
      fleet: names => ({ ...fleet(names), left: ['cluster-a'] }),
      reselect,
      turn: ({ run }, { controls }) => {
        seen.push(controls);
        return decision(run);
      },
    });
    expect(seen).toMatchObject([
      { stops: [{ id: 's1', clusters: ['cluster-b'] }], left: ['cluster-a'], cordons: {} },
    ]);
  });

  it('writes nothing when deciding fails', async () => {
    const database = await open();
    const lease = await startedRelease(database, { id: 'r1' });
    const turn = () => {
      throw new Error('decide failed');
    };
    await expect(runTurn(database, { lease, clock, fleet, reselect, turn })).rejects.toThrow(
      'decide failed',
    );
    expect((await database('releases').first()).revision).toBe(1);
  });
});
