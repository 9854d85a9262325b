import { isFinalRelease } from 'backstage-plugin-multicluster-release-common';
import type { ReleaseRun } from '../decide';
import { changingFleet } from '../testing/changingFleet';
import { states, waitsAt, waitsFor } from '../testing/runs';
import { canary, oneByOne } from '../testing/samples';
import type { Scene } from '../testing/scene';
import { suiteOnRealClusters } from '../testing/suiteOnRealClusters';
import type { TurnedClock } from '../testing/turnedClock';

const CLUSTERS = ['away-a', 'away-b', 'away-c'];
const [A, B, C] = CLUSTERS;
const MINUTE = 60_000;

const ONE_BY_ONE = oneByOne(CLUSTERS);
/** First two clusters at once, until a person promotes; then the last one. */
const TWO_AND_ONE = canary({ clusters: [A, B], pause: {} }, { clusters: [C] });
const NEW = CLUSTERS.map(() => '2.0.0');
const OLD = CLUSTERS.map(() => '1.0.0');

const isUnreachable = ({ targets }: ReleaseRun) =>
  targets.some(({ cluster, unreachableSince }) => cluster === B && unreachableSince !== undefined);

// One after the other: they share the clusters that go away.
describe('clusters that stay away', () => {
  const { clusters, inScene } = suiteOnRealClusters({ names: CLUSTERS, prefix: 'away' });

  describe('off the list of the fleet, where they run on', () => {
    interface Fleet {
      consistsOf(...names: string[]): Promise<void>;
      /** Time goes by, and the engine looks at the release. */
      later(id: string, minutes: number): void;
    }

    /** With version 1.0.0 everywhere. */
    async function inFleet(play: (scene: Scene, fleet: Fleet) => Promise<void>): Promise<void> {
      const fleet = await changingFleet(clusters().kubeconfig, ...CLUSTERS);
      try {
        await inScene(
          (scene, clock) => {
            const { backend } = scene;
            return play(scene, {
              consistsOf: async (...names) => {
                await fleet.consistsOf(...names);
                await backend.listClusters();
              },
              later: (id, minutes) => {
                clock.forward(minutes * MINUTE);
                backend.engine.wake(id);
              },
            });
          },
          { fleet: fleet.kubeconfig },
        );
      } finally {
        await fleet.remove();
      }
    }

    const onB = (marks: string[]) => marks.filter(mark => mark.startsWith(`${B} `));

    it('one is passed over after five minutes, and the next release reaches it again (C24)', () =>
      inFleet(async (scene, { consistsOf, later }) => {
        const { backend, start, act, versions, fingerprint, told, released } = scene;
        const id = await start('2.0.0', ONE_BY_ONE);
        await backend.until(id, waitsAt(0));
        const before = onB(await fingerprint());
        await consistsOf(A, C);
        await act(id, 'promote', { full: true });
        const held = await backend.until(id, waitsAt(1, 'unreachable'));
        expect(states(held)).toEqual(['Done', 'Pending', 'Pending']);
        later(id, 5);
        const run = await backend.ended(id);
        expect([run.state, ...states(run)]).toEqual(['Succeeded', 'Done', 'Skipped', 'Done']);
        expect(run.targets.map(({ left }) => left)).toEqual([undefined, true, undefined]);
        expect(await versions()).toEqual(['2.0.0', '1.0.0', '2.0.0']);
        expect(onB(await fingerprint())).toEqual(before);
        expect(await told(id, 'TargetLeft', 'ReleaseSucceeded')).toEqual([
          `system TargetLeft ${B}`,
          'system ReleaseSucceeded',
        ]);
        await consistsOf(...CLUSTERS);
        const next = await released('4.0.0');
        expect([next.state, ...states(next)]).toEqual(['Succeeded', 'Done', 'Done', 'Done']);
        expect(await versions()).toEqual(CLUSTERS.map(() => '4.0.0'));
      }));

    it('a queued release takes those that are there when its turn comes, after a person has agreed', () =>
      inFleet(async ({ backend, namespace, start, act, versions, told }, { consistsOf }) => {
        await consistsOf(A, B);
        const placement = { select: {}, groups: [{ name: 'all', match: {} }] };
        const first = await start('2.0.0', {
          ...canary({ clusters: [A], pause: {} }),
          placement,
        });
        await backend.until(first, waitsAt(0));
        const next = await start('4.0.0', {
          strategy: { type: 'RollingUpdate', rollingUpdate: { mode: 'Parallel' } },
          placement,
        });
        await backend.until(next, waitsFor('queue'));
        await consistsOf(...CLUSTERS);
        await act(first, 'promote');
        expect((await backend.ended(first)).state).toBe('Succeeded');
        expect(await versions()).toEqual(['2.0.0', '2.0.0', '1.0.0']);
        const asked = await backend.until(next, waitsFor('planChanged'));
        expect(asked.planChanged?.message).toContain(`${C} joined since it was queued`);
        await act(next, 'accept', { planHash: asked.planChanged?.hash });
        // What it loses there was in nobody's preview.
        const blocked = await backend.until(next, waitsFor('changed'));
        expect(blocked.waiting[0].params).toMatchObject({ cluster: C });
        await act(next, 'accept', { targets: [{ cluster: C, namespace }] });
        const run = await backend.ended(next);
        expect([run.state, ...states(run)]).toEqual(['Succeeded', 'Done', 'Done', 'Done']);
        expect(await versions()).toEqual(CLUSTERS.map(() => '4.0.0'));
        expect(await told(next, 'PlanChanged')).toHaveLength(1);
      }));

    it('one that is back within five minutes is no leaver, however often', () =>
      inFleet(async ({ backend, start, act, versions, told }, { consistsOf, later }) => {
        const id = await start('2.0.0', ONE_BY_ONE);
        await backend.until(id, waitsAt(0));
        for (const time of [1, 2]) {
          await consistsOf(A, C);
          // Each order is seen in the record after a turn of the engine, which asks who is there.
          await act(id, 'pause', { reason: `absence ${time}` });
          await backend.until(id, ({ state }) => state === 'Paused');
          later(id, 4);
          await act(id, 'resume');
          const run = await backend.until(id, ({ state }) => state !== 'Paused');
          expect(states(run)).toEqual(['Done', 'Pending', 'Pending']);
          await consistsOf(...CLUSTERS);
          await act(id, 'pause', { reason: `return ${time}` });
          await backend.until(id, ({ state }) => state === 'Paused');
          await act(id, 'resume');
          await backend.until(id, ({ state }) => state !== 'Paused');
        }
        await act(id, 'promote', { full: true });
        const run = await backend.ended(id);
        expect([run.state, ...states(run)]).toEqual(['Succeeded', 'Done', 'Done', 'Done']);
        expect(await versions()).toEqual(NEW);
        expect(await told(id, 'TargetLeft')).toEqual([]);
      }));

    it('one that is done holds its gate for five minutes, or until it is back', () =>
      inFleet(async ({ backend, start, act, versions, fingerprint }, { consistsOf, later }) => {
        const gone = await start('2.0.0', TWO_AND_ONE);
        await backend.until(gone, waitsAt(0));
        const before = onB(await fingerprint());
        await consistsOf(A, C);
        await backend.until(gone, waitsAt(0, 'unreachable'));
        await act(gone, 'promote');
        const held = await backend.until(gone, ({ stages }) => stages[0].promotedBy !== undefined);
        expect(states(held)).toEqual(['Done', 'Done', 'Pending']);
        later(gone, 5);
        const run = await backend.ended(gone);
        expect([run.state, ...states(run)]).toEqual(['Succeeded', 'Done', 'Done', 'Done']);
        expect(await versions()).toEqual(NEW);
        expect(onB(await fingerprint())).toEqual(before);

        await consistsOf(...CLUSTERS);
        const back = await start('4.0.0', TWO_AND_ONE);
        await backend.until(back, waitsAt(0));
        await consistsOf(A, C);
        await backend.until(back, waitsAt(0, 'unreachable'));
        await act(back, 'promote');
        await backend.until(back, ({ stages }) => stages[0].promotedBy !== undefined);
        await consistsOf(...CLUSTERS);
        expect(await backend.ended(back)).toMatchObject({ state: 'Succeeded' });
        expect(await versions()).toEqual(CLUSTERS.map(() => '4.0.0'));
      }));

    it('one that had to go back stays as it is, and the release is rolled back without it', () =>
      inFleet(async (scene, { consistsOf, later }) => {
        const { backend, start, act, versions, fingerprint, told } = scene;
        const id = await start('2.0.0', TWO_AND_ONE);
        await backend.until(id, waitsAt(0));
        const before = onB(await fingerprint());
        await consistsOf(A, C);
        await backend.until(id, isUnreachable);
        await act(id, 'rollback', { reason: 'it is slow' });
        const held = await backend.until(id, ({ targets }) => targets[0].state === 'RolledBack');
        expect(states(held)).toEqual(['RolledBack', 'RollbackPending', 'Pending']);
        expect(held.state).toBe('RollingBack');
        later(id, 5);
        const run = await backend.ended(id);
        expect([run.state, ...states(run)]).toEqual([
          'RolledBack',
          'RolledBack',
          'Skipped',
          'Unchanged',
        ]);
        expect(run.targets[1].left).toBe(true);
        expect(await versions()).toEqual(['1.0.0', '2.0.0', '1.0.0']);
        expect(onB(await fingerprint())).toEqual(before);
        expect(await told(id, 'TargetLeft')).toEqual([`system TargetLeft ${B}`]);
      }));
  });

  describe('without an answer, before their turn', () => {
    /** `play` begins when B is down, and ends with it up again. */
    async function whileDown(play: () => Promise<void>): Promise<void> {
      await clusters().outage('kill', B);
      try {
        await play();
      } finally {
        await clusters().outage('up', B);
      }
    }

    interface Offline {
      policy: object;
      /** Looks at the release ten minutes after B was found down. */
      look(id: string): Promise<void>;
    }

    /** The first cluster has the new version when B goes down; then all the rest is promoted. Answers the release. */
    async function withoutB(
      { backend, start, act }: Scene,
      clock: TurnedClock,
      { policy, look }: Offline,
    ): Promise<string> {
      const id = await start('2.0.0', { ...ONE_BY_ONE, policy });
      await backend.until(id, waitsAt(0));
      await whileDown(async () => {
        await act(id, 'promote', { full: true });
        await backend.until(id, waitsAt(1, 'unreachable'));
        clock.forward(10 * MINUTE);
        backend.engine.wake(id);
        await look(id);
      });
      return id;
    }

    const offline = (policy: string) => ({ offline: { policy, after: '10m' } });

    it('are waited for by `Wait`: they use no slot, and the stage does not end', () =>
      inScene(async ({ backend, start, versions, told }, clock) => {
        const policy = { ...offline('Wait'), maxConcurrency: 1 };
        const steps = canary({ clusters: [B, A] }, { clusters: [C] });
        let id = '';
        await whileDown(async () => {
          id = await start('2.0.0', { ...steps, policy });
          const isLeftOut = (run: ReleaseRun) => states(run).join() === 'Pending,Done,Pending';
          await backend.until(id, run => isLeftOut(run) && isUnreachable(run));
          clock.forward(10 * MINUTE);
          backend.engine.wake(id);
          const run = await backend.until(id, ({ targets }) => targets[0].state === 'Offline');
          expect(states(run)).toEqual(['Offline', 'Done', 'Pending']);
          expect([run.state, run.stage]).toEqual(['Waiting', 0]);
          expect(run.waiting).toMatchObject([{ code: 'unreachable', params: { cluster: B } }]);
        });
        expect(await backend.ended(id)).toMatchObject({ state: 'Succeeded' });
        expect(await versions()).toEqual(NEW);
        expect(await told(id, 'TargetDone', 'TargetOffline', 'ReachableAgain')).toEqual([
          `system TargetDone ${A}`,
          `system TargetOffline ${B}`,
          `system ReachableAgain ${B}`,
          `system TargetDone ${B}`,
          `system TargetDone ${C}`,
        ]);
      }));

    it('are left behind by `Skip`, and catch up when they are back (C50)', () =>
      inScene(async (scene, clock) => {
        const { backend, versions, told } = scene;
        const id = await withoutB(scene, clock, {
          policy: offline('Skip'),
          look: async started => {
            const run = await backend.until(started, ({ state }) => isFinalRelease(state));
            expect([run.state, ...states(run)]).toEqual([
              'CompletedWithPending',
              'Done',
              'Offline',
              'Done',
            ]);
            expect(run.needsWork).toBe(true);
          },
        });
        expect(states(await backend.ended(id))).toEqual(['Done', 'Done', 'Done']);
        expect(await versions()).toEqual(NEW);
        expect(await told(id, 'TargetOffline')).toEqual([`system TargetOffline ${B}`]);
      }));

    it('fail by `Fail`: the release goes back, and tells of whom and why', () =>
      inScene(async (scene, clock) => {
        const { backend, start, act, versions, told } = scene;
        const id = await withoutB(scene, clock, {
          policy: offline('Fail'),
          look: async started => {
            const run = await backend.ended(started);
            expect([run.state, ...states(run)]).toEqual([
              'RolledBack',
              'RolledBack',
              'Failed',
              'Unchanged',
            ]);
            const failure = { cause: 'Offline', message: 'the cluster is offline' };
            expect(run.targets[1].failure).toMatchObject(failure);
          },
        });
        expect(await versions()).toEqual(OLD);
        const codes = ['TargetFailed', 'RollbackStarted', 'ReleaseRolledBack'];
        expect(await told(id, ...codes)).toEqual([
          `system TargetFailed ${B}`,
          `system RollbackStarted (1 failed, limit 0: ${B}: the cluster is offline)`,
          'system ReleaseRolledBack',
        ]);
        // What has ended is not tried again: a new release is, after the hold.
        await expect(act(id, 'retry')).rejects.toMatchObject({
          ...{ code: 'NotAllowed', params: { reason: 'Final' } },
        });
        await expect(start('2.0.0')).rejects.toMatchObject({ code: 'OnHold' });
      }));

    it('fail by `Fail` and wait for a person by `Pause`: a retry counts their silence anew', () =>
      inScene(async (scene, clock) => {
        const { backend, act, versions, told } = scene;
        const id = await withoutB(scene, clock, {
          policy: { ...offline('Fail'), onFailure: 'Pause' },
          look: async started => {
            const failed = await backend.until(started, waitsFor('budget'));
            expect(states(failed)).toEqual(['Done', 'Failed', 'Pending']);
            // Too early: it is still down, but not yet for ten minutes since then.
            await act(started, 'retry', { reason: 'somebody is on the way' });
            const again = await backend.until(started, waitsAt(1, 'unreachable'));
            expect(states(again)).toEqual(['Done', 'Pending', 'Pending']);
            const { failure } = failed.targets[1];
            expect(again.targets[1].unreachableSince).toBeGreaterThan(failure?.at ?? Infinity);
          },
        });
        // Who promoted before the failure has not seen the new attempt.
        await backend.until(id, waitsAt(1));
        expect(await versions()).toEqual(['2.0.0', '2.0.0', '1.0.0']);
        await act(id, 'promote', { full: true });
        const run = await backend.ended(id);
        expect([run.state, ...states(run)]).toEqual(['Succeeded', 'Done', 'Done', 'Done']);
        expect(await versions()).toEqual(NEW);
        expect(await told(id, 'TargetFailed', 'RetryRequested')).toEqual([
          `system TargetFailed ${B}`,
          'user:default/ann RetryRequested (somebody is on the way)',
        ]);
      }));

    it('fail by `Fail` within maxFailures: the others go on', () =>
      inScene(async (scene, clock) => {
        const { backend, versions, told } = scene;
        const id = await withoutB(scene, clock, {
          policy: { ...offline('Fail'), maxFailures: 1 },
          look: async started => {
            const run = await backend.ended(started);
            expect([run.state, ...states(run)]).toEqual(['Succeeded', 'Done', 'Failed', 'Done']);
          },
        });
        expect(await versions()).toEqual(['2.0.0', '1.0.0', '2.0.0']);
        expect(await told(id, 'TargetFailed')).toEqual([`system TargetFailed ${B}`]);
      }));
  });
});
