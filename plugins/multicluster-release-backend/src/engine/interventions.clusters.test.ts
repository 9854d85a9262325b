import { endStop } from '../commands/fleet/endStop';
import { orderStop, type StopToOrder } from '../commands/fleet/orderStop';
import { orderWindow } from '../commands/fleet/orderWindow';
import type { ReleaseRun } from '../decide';
import { realClusters, type RealClusters } from '../testing/realClusters';
import { openScene, type Scene } from '../testing/scene';
import { SERVICE, type Person } from '../testing/smallBackend';
import { turnedClock, type TurnedClock } from '../testing/turnedClock';

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

const canary = (...steps: object[]) => ({
  strategy: { type: 'Canary', canary: { steps } },
});
const ONE_BY_ONE = canary(...CLUSTERS.map(cluster => ({ clusters: [cluster], pause: {} })));
const NEW = CLUSTERS.map(() => '2.0.0');
const OLD = CLUSTERS.map(() => '1.0.0');
const ONLY_A = ['2.0.0', '1.0.0', '1.0.0'];

const waitsFor = (code: string) => (run: ReleaseRun) =>
  run.waiting.some(waiting => waiting.code === code);
const waitsAt = (stage: number, code: string) => (run: ReleaseRun) =>
  run.stage === stage && waitsFor(code)(run);
const states = ({ targets }: ReleaseRun) => targets.map(({ state }) => state);
/** Nobody asks the catalog here: our record knows the services. */
const find = async () => [];

jest.setTimeout(240_000);

describe('interventions over real clusters', () => {
  let clusters: RealClusters;
  let counter = 0;

  beforeAll(async () => {
    clusters = await realClusters(...CLUSTERS);
  }, 1_200_000);

  afterAll(async () => {
    await clusters.remove();
  }, 60_000);

  /** With version 1.0.0 everywhere. */
  async function inScene(play: (scene: Scene, clock: TurnedClock) => Promise<void>): Promise<void> {
    counter += 1;
    const timing = turnedClock();
    const scene = await openScene({
      ...{ clusters, names: CLUSTERS, namespace: `asked-${counter}` },
      ...{ configured: CONFIGURED, timing },
    });
    try {
      expect(await scene.released('1.0.0')).toMatchObject({ state: 'Succeeded' });
      await play(scene, timing);
    } finally {
      await scene.close();
    }
  }

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
      await backend.until(id, waitsAt(0, 'promote'));
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
      await backend.until(id, waitsAt(1, 'promote'));
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
        await backend.until(id, waitsAt(0, 'promote'));
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
        expect(held.state).toBe('Progressing');
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
});

const HOUR_MILLISECONDS = 3_600_000;

function sinceNow(hours: number): Date {
  return new Date(Date.now() + hours * HOUR_MILLISECONDS);
}

/** Each day at this minute, in UTC. */
function cronAt(time: Date): string {
  return `${time.getUTCMinutes()} ${time.getUTCHours()} * * *`;
}
