import { cordonCluster } from '../commands/fleet/cordonCluster';
import { endStop } from '../commands/fleet/endStop';
import { endWindow } from '../commands/fleet/endWindow';
import { orderStop, type StopToOrder } from '../commands/fleet/orderStop';
import { orderWindow } from '../commands/fleet/orderWindow';
import type { ReleaseRun } from '../decide';
import { cronAt, HOUR_MILLISECONDS, sinceNow } from '../testing/cron';
import { states, waitsAt, waitsFor } from '../testing/runs';
import { canary, oneByOne } from '../testing/samples';
import { SERVICE, type Person } from '../testing/smallBackend';
import { suiteOnRealClusters } from '../testing/suiteOnRealClusters';

const CLUSTERS = ['asked-a', 'asked-b', 'asked-c'];
const [A, B, C] = CLUSTERS;
/** The second one has a place of its own. */
const CONFIGURED = {
  [A]: { region: 'north', groups: ['large'] },
  [B]: { region: 'south', groups: ['small'] },
  [C]: { region: 'north', groups: ['large'] },
};
const SRE = 'group:default/sre';
const SUE: Person = { ref: 'user:default/sue', groups: [SRE] };
const TOM: Person = { ref: 'user:default/tom', groups: [SRE] };
/** Who orders things for the whole fleet. */
const OPS: Person = { ref: 'user:default/ops' };
const OTHER = 'component:default/other';

const ONE_BY_ONE = oneByOne(CLUSTERS);
const NEW = CLUSTERS.map(() => '2.0.0');
const OLD = CLUSTERS.map(() => '1.0.0');
const ONLY_A = ['2.0.0', '1.0.0', '1.0.0'];

/** Nobody asks the catalog here: our record knows the services. */
const find = async () => [];

describe('interventions over real clusters', () => {
  const { inScene } = suiteOnRealClusters({
    ...{ names: CLUSTERS, prefix: 'asked', configured: CONFIGURED },
  });

  it.concurrent('what would be lost since the preview is lost only after somebody accepts it', () =>
    inScene(async ({ backend, namespace, start, act, versions, kubectl, told }) => {
      const label = 'multicluster-release.io/service';
      const stamp = 'multicluster-release.io/stamp';
      const onB = (...args: string[]) => kubectl(B, ...args, '--ignore-not-found', '-o', 'json');
      const { metadata } = JSON.parse(await onB('get', 'configmap', 'only-in-1'));
      // Somebody has taken it over, so the preview leaves it alone; then they give it back.
      await kubectl(B, 'label', 'configmap', 'only-in-1', `${label}-`);
      await kubectl(B, 'annotate', 'configmap', 'only-in-1', `${stamp}-`);
      const id = await start('2.0.0', ONE_BY_ONE);
      await backend.until(id, waitsAt(0));
      const given = `${label}=${metadata.labels[label]}`;
      await kubectl(B, 'label', 'configmap', 'only-in-1', given);

      await act(id, 'promote', { expectedStage: 0 });
      const blocked = await backend.until(id, waitsAt(1, 'changed'));
      expect(states(blocked)).toEqual(['Done', 'Blocked', 'Pending']);
      expect(blocked.targets[1].changedRisks?.risks).toEqual([
        `removal:ConfigMap/${namespace}/only-in-1`,
      ]);
      expect(await versions()).toEqual(ONLY_A);
      expect(await onB('get', 'configmap', 'only-in-1')).not.toBe('');

      const targets = [{ cluster: B, namespace }];
      await act(id, 'accept', { targets, reason: 'it may go' }, SUE);
      await backend.until(id, waitsAt(1));
      expect(await versions()).toEqual(['2.0.0', '2.0.0', '1.0.0']);
      expect(await onB('get', 'configmap', 'only-in-1')).toBe('');
      await act(id, 'promote', { expectedStage: 1, full: true });
      expect(await backend.ended(id)).toMatchObject({ state: 'Succeeded' });
      expect(await versions()).toEqual(NEW);
      expect(await told(id, 'ChangedSincePreview', 'ChangeAccepted')).toEqual([
        `system ChangedSincePreview ${B}`,
        'user:default/sue ChangeAccepted (it may go)',
      ]);
    }),
  );

  describe('an emergency stop', () => {
    const stopOf = (scope: StopToOrder['scope']) => ({
      ...{ scope, reason: 'network is down', allowRollback: false, actor: OPS, find },
    });

    it.concurrent('of everything lets nothing be written anywhere, until it is lifted', () =>
      inScene(async ({ backend, start, act, versions, fingerprint, told }) => {
        const id = await start('2.0.0', ONE_BY_ONE);
        await backend.until(id, waitsAt(0));
        const { stop } = await orderStop(backend.commands, stopOf({ all: true }));
        const before = await fingerprint();
        await act(id, 'promote', { full: true });
        await backend.until(id, waitsAt(1, 'stopall'));
        expect(await fingerprint()).toEqual(before);
        expect(await versions()).toEqual(ONLY_A);
        await endStop(backend.commands, { id: stop.id, reason: 'network is back', actor: SUE });
        expect(await backend.ended(id)).toMatchObject({ state: 'Succeeded' });
        expect(await versions()).toEqual(NEW);
        expect(await told(id, 'StopOrdered', 'StopLifted')).toEqual([
          'user:default/ops StopOrdered (network is down)',
          'user:default/sue StopLifted (network is back)',
        ]);
      }),
    );

    it.concurrent.each([
      ['region', { regions: ['south'] }],
      ['group', { groups: ['small'] }],
    ])('of a %s holds its clusters, and the others go on', (_, scope) =>
      inScene(async ({ backend, start, versions }) => {
        const { stop } = await orderStop(backend.commands, stopOf(scope));
        const id = await start('2.0.0');
        const held = await backend.until(
          id,
          run => waitsFor('stopall')(run) && states(run).join() === 'Done,Pending,Done',
        );
        expect(held.state).toBe('Waiting');
        expect(await versions()).toEqual(['2.0.0', '1.0.0', '2.0.0']);
        await endStop(backend.commands, { id: stop.id, reason: 'network is back', actor: SUE });
        expect(await backend.ended(id)).toMatchObject({ state: 'Succeeded' });
        expect(await versions()).toEqual(NEW);
      }),
    );
  });

  it.concurrent('an approval that came long ago is asked for anew', () =>
    inScene(async ({ backend, start, act, versions, told }, clock) => {
      const approval = { required: 2, from: [SRE], when: 'before', expires: '12h' };
      const id = await start('2.0.0', canary({ clusters: [A] }, { clusters: [B, C], approval }));
      const asked = await backend.until(id, waitsAt(1, 'approval'));
      const planHash = asked.plans[0].hash;
      const open = ({ stages }: ReleaseRun) => stages[1].approvals?.[0];
      await act(id, 'approve', { planHash }, SUE);
      await backend.until(id, run => open(run)?.votes.length === 1);

      clock.forward(13 * HOUR_MILLISECONDS);
      backend.engine.wake(id);
      const again = await backend.until(id, run => open(run)?.votes.length === 0);
      expect(open(again)?.askedAt).toBeGreaterThan(open(asked)?.askedAt ?? Infinity);
      // What the first of them said yesterday does not count today.
      await act(id, 'approve', { planHash }, TOM);
      const half = await backend.until(id, run => open(run)?.votes.length === 1);
      expect(open(half)?.passedAt).toBeUndefined();
      expect(await versions()).toEqual(ONLY_A);
      await act(id, 'approve', { planHash }, SUE);
      expect(await backend.ended(id)).toMatchObject({ state: 'Succeeded' });
      expect(await versions()).toEqual(NEW);
      expect(await told(id, 'Approved', 'ApprovalExpired', 'ApprovalPassed')).toEqual([
        'user:default/sue Approved',
        'system ApprovalExpired',
        'user:default/tom Approved',
        'user:default/sue Approved',
        'system ApprovalPassed',
      ]);
    }),
  );

  it.concurrent(
    'a window of the platform for one service holds that one, and opens by itself',
    () =>
      inScene(async ({ backend, start, versions, fingerprint, told }, clock) => {
        const request = {
          ...{ name: 'freeze', cron: cronAt(sinceNow(-1)), duration: '3h', timeZone: 'UTC' },
          ...{ kind: 'deny' as const, reason: 'day of the sales', services: [SERVICE] },
        };
        await orderWindow(backend.commands, { request, actor: OPS, find });
        const before = await fingerprint();
        const id = await start('2.0.0');
        await backend.until(id, waitsFor('freeze'));
        expect(await fingerprint()).toEqual(before);
        const other = await start('2.0.0', { name: 'other' }, { service: OTHER });
        expect(await backend.ended(other)).toMatchObject({ state: 'Succeeded' });
        expect(await versions()).toEqual(OLD);

        clock.forward(3 * HOUR_MILLISECONDS);
        backend.engine.wake(id);
        expect(await backend.ended(id)).toMatchObject({ state: 'Succeeded' });
        expect(await versions()).toEqual(NEW);
        expect(await told(id, 'WindowRemoved')).toEqual([]);
      }),
  );

  it.concurrent('outside of the windows of its policy no cluster is started', () =>
    inScene(async ({ backend, start, act, versions, fingerprint }) => {
      const before = await fingerprint();
      const windows = [{ cron: cronAt(sinceNow(12)), duration: '1h', kind: 'allow' }];
      const id = await start('2.0.0', { policy: { windows } });
      const { waiting } = await backend.until(id, waitsFor('window'));
      expect(new Date(waiting[0].until ?? 0).getUTCHours()).toBe(sinceNow(12).getUTCHours());
      expect(await fingerprint()).toEqual(before);
      await act(id, 'abort', { reason: 'not today' });
      expect(await backend.ended(id)).toMatchObject({ state: 'Aborted' });
      expect(await versions()).toEqual(OLD);
    }),
  );

  it.concurrent(
    'a window of the platform closes in the middle, opens again, and back is free',
    () =>
      inScene(async ({ backend, start, act, versions, told }) => {
        const id = await start('2.0.0', ONE_BY_ONE);
        await backend.until(id, waitsAt(0));
        const freeze = {
          ...{ name: 'freeze', cron: cronAt(sinceNow(-1)), duration: '3h', timeZone: 'UTC' },
          ...{ kind: 'deny' as const, reason: 'day of the sales' },
        };
        const { window } = await orderWindow(backend.commands, {
          request: freeze,
          actor: OPS,
          find,
        });
        await act(id, 'promote');
        await backend.until(id, waitsAt(1, 'freeze'));
        expect(await versions()).toEqual(['2.0.0', '1.0.0', '1.0.0']);
        const end = { id: window.id, reason: 'sales are over', actor: OPS };
        await endWindow(backend.commands, end);
        await backend.until(id, waitsAt(1));
        expect(await versions()).toEqual(['2.0.0', '2.0.0', '1.0.0']);
        const again = { ...freeze, name: 'freeze again' };
        await orderWindow(backend.commands, { request: again, actor: OPS, find });
        await act(id, 'rollback', { reason: 'it is slow' });
        expect(await backend.ended(id)).toMatchObject({ state: 'RolledBack' });
        expect(await versions()).toEqual(OLD);
        expect(await told(id, 'WindowAdded', 'WindowRemoved')).toEqual([
          'user:default/ops WindowAdded (day of the sales)',
          'user:default/ops WindowRemoved (sales are over)',
          'user:default/ops WindowAdded (day of the sales)',
        ]);
      }),
  );

  it.concurrent('under an emergency stop nothing is written; lifted, it goes on', () =>
    inScene(async ({ backend, start, act, versions, fingerprint, told }) => {
      const id = await start('2.0.0', ONE_BY_ONE);
      await backend.until(id, waitsAt(0));
      const { stop } = await orderStop(backend.commands, {
        ...{ scope: { services: [SERVICE] }, reason: 'network is down', allowRollback: false },
        ...{ actor: OPS, find },
      });
      const before = await fingerprint();
      await act(id, 'promote', { full: true });
      await backend.until(id, waitsAt(1, 'stopall'));
      expect(await fingerprint()).toEqual(before);
      // Not even on the way back.
      await act(id, 'rollback', { reason: 'to be safe' });
      const held = await backend.until(id, ({ targets }) => targets[0].state === 'RollingBack');
      expect(held.waiting[0]).toMatchObject({ code: 'stopall', who: OPS.ref });
      expect(await fingerprint()).toEqual(before);
      await endStop(backend.commands, { id: stop.id, reason: 'network is back', actor: SUE });
      expect(await backend.ended(id)).toMatchObject({ state: 'RolledBack' });
      expect(await versions()).toEqual(OLD);
      expect(await told(id, 'StopOrdered', 'StopLifted')).toEqual([
        'user:default/ops StopOrdered (network is down)',
        'user:default/sue StopLifted (network is back)',
      ]);
    }),
  );

  it.concurrent('an emergency stop of one cluster that allows rollbacks lets it go back', () =>
    inScene(async ({ backend, start, act, versions, told }) => {
      const id = await start('2.0.0', canary({ clusters: [A, C], pause: {} }));
      await backend.until(id, waitsAt(0));
      await orderStop(backend.commands, {
        ...{ scope: { clusters: [A, B] }, reason: 'disks are full', allowRollback: true },
        ...{ actor: OPS, find },
      });
      await act(id, 'promote');
      await backend.until(id, waitsAt(1, 'stopall'));
      expect(await versions()).toEqual(['2.0.0', '1.0.0', '2.0.0']);
      await act(id, 'rollback', { reason: 'to be safe' });
      expect(await backend.ended(id)).toMatchObject({ state: 'RolledBack' });
      expect(await versions()).toEqual(OLD);
      expect(await told(id, 'StopOrdered', 'StopLifted', 'RollbackStarted')).toEqual([
        'user:default/ops StopOrdered (disks are full)',
        'user:default/ann RollbackStarted (to be safe)',
      ]);
    }),
  );

  it.concurrent('a cordoned cluster is waited for, and takes the release when it is back', () =>
    inScene(async ({ backend, start, versions, told }) => {
      const cordon = (cordoned: boolean, reason: string) =>
        cordonCluster(backend.commands, { cluster: B, cordoned, reason, actor: OPS });
      await cordon(true, 'gets new disks');
      const id = await start('2.0.0');
      const run = await backend.until(
        id,
        now =>
          waitsFor('cordoned')(now) &&
          now.targets[0].state === 'Done' &&
          now.targets[2].state === 'Done',
      );
      expect(run.waiting[0]).toMatchObject({ code: 'cordoned', params: { cluster: B } });
      expect(await versions()).toEqual(['2.0.0', '1.0.0', '2.0.0']);
      await cordon(false, 'has its new disks');
      expect(await backend.ended(id)).toMatchObject({ state: 'Succeeded' });
      expect(await versions()).toEqual(NEW);
      expect(await told(id, 'ClusterUncordoned')).toEqual([
        `user:default/ops ClusterUncordoned ${B} (has its new disks)`,
      ]);
    }),
  );
});
