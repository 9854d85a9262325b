import { orderStop } from '../commands/fleet/orderStop';
import type { ReleaseRun } from '../decide';
import { until } from '../http/__testUtils__/until';
import { otherReplica, type OtherReplica } from '../testing/otherReplica';
import { realPostgres, type RealPostgres } from '../testing/realPostgres';
import { states, waitsAt } from '../testing/runs';
import { canary, imageOn, oneByOne, slow } from '../testing/samples';
import { sceneOn, type More, type Scene } from '../testing/scene';
import { SERVICE, smallBackend, type SmallBackend } from '../testing/smallBackend';
import { suiteOnRealClusters } from '../testing/suiteOnRealClusters';
import { watchStamps } from '../testing/watchStamps';

const CLUSTERS = ['storm-a', 'storm-b', 'storm-c'];
const [A, B, C] = CLUSTERS;
const OLD = CLUSTERS.map(() => '1.0.0');
const NEW = CLUSTERS.map(() => '2.0.0');
const SUE = { ref: 'user:default/sue' };
/** As long as the other replica's: it has to run out before somebody else goes on. */
const LEASE_MILLISECONDS = 15_000;

const ONE_BY_ONE = oneByOne(CLUSTERS);
const ALL_AT_ONCE = canary({ clusters: CLUSTERS, pause: {} });
const SLOW_ON_B = imageOn(B, 'registry.example.org/shop/slow-checkout:2.0.0');

describe('outages over real clusters', () => {
  const { clusters, nextNamespace, inScene } = suiteOnRealClusters({
    ...{ names: CLUSTERS, prefix: 'storm' },
  });
  let postgres: RealPostgres;

  beforeAll(async () => {
    postgres = await realPostgres();
  }, 60_000);

  afterAll(async () => {
    await postgres?.remove();
  }, 60_000);

  describe('two backends on one PostgreSQL', () => {
    const open = (database: string) =>
      smallBackend({
        database,
        kubeconfig: clusters().kubeconfig,
        leaseMilliseconds: LEASE_MILLISECONDS,
      });

    /** The first one has brought 1.0.0 everywhere and works; the second stands by. */
    async function withTwo(
      play: (first: Scene, second: SmallBackend, database: string) => Promise<void>,
      old: More = {},
    ): Promise<void> {
      const namespace = nextNamespace();
      const database = await postgres.newDatabase(namespace);
      const backend = await open(database);
      const second = await open(database);
      const scene = sceneOn(backend, { clusters: clusters(), names: CLUSTERS, namespace });
      try {
        await Promise.all(
          CLUSTERS.map(cluster => clusters().kubectl(cluster, 'create', 'namespace', namespace)),
        );
        backend.engine.start();
        expect(await scene.released('1.0.0', old)).toMatchObject({ state: 'Succeeded' });
        await play(scene, second, database);
      } finally {
        await scene.close();
        await second.close();
      }
    }

    /** Not in the middle of a transaction: asleep there it would hold its locks. */
    async function putToSleep(replica: OtherReplica, { database }: SmallBackend): Promise<void> {
      const isInside = async () => {
        const { rows } = await database.raw(
          `select 1 from pg_stat_activity
           where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`,
        );
        return rows.length > 0;
      };
      replica.signal('SIGSTOP');
      while (await isInside()) {
        replica.signal('SIGCONT');
        await until(isInside, inside => !inside);
        replica.signal('SIGSTOP');
      }
    }

    interface Interrupted {
      old?: More;
      /** Leaves a release that nobody works on. */
      prepare(first: Scene, second: SmallBackend): Promise<string>;
      /** The other replica is in the middle of it. */
      middle(run: ReleaseRun): boolean;
      signal: 'SIGKILL' | 'SIGSTOP';
      end: { state: string; versions: string[] };
    }

    const PRINTED = { SIGKILL: /^$/, SIGSTOP: /"state":"Succeeded"/ };

    const CANARY: Omit<Interrupted, 'signal'> = {
      prepare: async (first, second) => {
        await first.backend.engine.stop();
        const steps = canary({ clusters: [A] }, { clusters: [B] }, { clusters: [C] });
        return second.release(first.documents('2.0.0', { template: SLOW_ON_B, ...steps }));
      },
      middle: ({ targets }) => targets[1].state === 'Verifying',
      end: { state: 'Succeeded', versions: NEW },
    };

    const ROLLBACK: Omit<Interrupted, 'signal'> = {
      old: { change: slow },
      prepare: async (first, second) => {
        const id = await first.start('2.0.0', ALL_AT_ONCE);
        await first.backend.until(id, waitsAt(0));
        await first.backend.engine.stop();
        await second.act(id, 'rollback', { reason: 'it is slow' });
        return id;
      },
      middle: ({ targets }) =>
        targets.every(({ state, appliedAt }) => state === 'RollingBack' && appliedAt !== undefined),
      end: { state: 'RolledBack', versions: OLD },
    };

    it.concurrent.each<[string, Interrupted]>([
      ['is killed in the middle of a canary', { ...CANARY, signal: 'SIGKILL' }],
      ['is killed in the middle of a rollback', { ...ROLLBACK, signal: 'SIGKILL' }],
      ['sleeps past its lease and wakes', { ...CANARY, signal: 'SIGSTOP' }],
    ])('one that %s: the other goes on (C32)', (_, { old, prepare, middle, signal, end }) =>
      withTwo(async (first, second, database) => {
        const releaseId = await prepare(first, second);
        const replica = otherReplica(database, { kubeconfig: clusters().kubeconfig, releaseId });
        const watches = await Promise.all(
          CLUSTERS.map(cluster => watchStamps(clusters(), cluster, first.namespace)),
        );
        try {
          const run = await second.until(releaseId, middle);
          const ticket = Math.max(...run.targets.map(target => target.ticket ?? 0));
          second.engine.start();
          if (signal === 'SIGSTOP') {
            await putToSleep(replica, second);
          } else {
            replica.signal(signal);
          }
          const ended = await second.ended(releaseId);
          expect(ended.state).toBe(end.state);
          expect(await first.versions()).toEqual(end.versions);
          const left = await first.fingerprint();
          replica.signal('SIGCONT');
          expect(await replica.printed).toMatch(PRINTED[signal]);
          expect(await first.fingerprint()).toEqual(left);

          // Never one holder after the other had begun: stamps only grow.
          const all = watches.map(watch => watch.seen());
          for (const stamps of all) {
            expect(stamps).toEqual(stamps.toSorted(byStamp));
          }
          const [, ofB] = all;
          expect(ofB.slice(-2).map(ticketOf)).toEqual([ticket, ticket + 1]);
        } finally {
          replica.signal('SIGKILL');
          await Promise.all(watches.map(watch => watch.stop()));
        }
      }, old),
    );

    it.concurrent('two people who press on different replicas at once count once, or both', () =>
      withTwo(async (first, second) => {
        second.engine.start();
        const id = await first.start('2.0.0', ONE_BY_ONE);
        await first.backend.until(id, waitsAt(0));
        const ends = await Promise.allSettled([
          first.act(id, 'promote', { expectedStage: 0 }),
          second.act(id, 'promote', { expectedStage: 0 }, SUE),
        ]);
        expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
        await second.until(id, waitsAt(1));
        expect(await first.versions()).toEqual(['2.0.0', '2.0.0', '1.0.0']);
        expect(await first.told(id, 'Promoted')).toHaveLength(1);

        await Promise.all([
          first.act(id, 'pause', { reason: 'lunch' }),
          second.act(id, 'promote', { expectedStage: 1 }, SUE),
        ]);
        const paused = await second.until(
          id,
          ({ state, stages }) => state === 'Paused' && stages[1].promotedBy !== undefined,
        );
        expect(paused.paused).toMatchObject({ by: 'user:default/ann', reason: 'lunch' });
        await second.act(id, 'resume', {}, SUE);
        await second.until(id, waitsAt(2));
        expect(await first.versions()).toEqual(NEW);

        await Promise.allSettled([
          first.act(id, 'rollback', { reason: 'it is slow' }),
          second.act(id, 'rollback', { reason: 'so I see, too' }, SUE),
        ]);
        expect(await second.ended(id)).toMatchObject({ state: 'RolledBack' });
        expect(await first.versions()).toEqual(OLD);
        expect(await first.told(id, 'RollbackRequested')).toHaveLength(1);
      }),
    );

    it.concurrent('what is ordered on one replica is obeyed by the other', () =>
      withTwo(async (first, second) => {
        // Only the first one drives: the second has not begun.
        const id = await first.start('2.0.0', ONE_BY_ONE);
        await first.backend.until(id, waitsAt(0));
        await orderStop(second.commands, {
          ...{ scope: { services: [SERVICE] }, reason: 'network is down', allowRollback: true },
          ...{ actor: SUE, find: async () => [] },
        });
        const before = await first.fingerprint();
        await second.act(id, 'promote', { full: true }, SUE);
        await second.until(id, waitsAt(1, 'stopall'));
        expect(await first.fingerprint()).toEqual(before);
        await second.act(id, 'rollback', { reason: 'to be safe' }, SUE);
        expect(await second.ended(id)).toMatchObject({ state: 'RolledBack' });
        expect(await first.versions()).toEqual(OLD);
      }),
    );

    it.concurrent('two releases that start on different replicas at once follow each other', () =>
      withTwo(async (first, second) => {
        second.engine.start();
        const ids = await Promise.all([
          first.start('2.0.0'),
          second.release(first.documents('4.0.0'), { by: SUE }),
        ]);
        const runs = await Promise.all(ids.map(id => second.ended(id)));
        expect(runs.map(({ state }) => state)).toEqual(['Succeeded', 'Succeeded']);
        const [earlier, later] = runs.sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0));
        expect(later.startedAt).toBeGreaterThanOrEqual(earlier.finishedAt ?? Infinity);
        expect(await first.versions()).toEqual(CLUSTERS.map(() => later.targetVersion));
      }),
    );
  });

  describe('a cluster that goes away', () => {
    it('is killed in the middle of its step: the step ends when it is back', () =>
      inScene(async ({ backend, start, act, versions, told }) => {
        const steps = canary({ clusters: [A], pause: {} }, { clusters: [B] }, { clusters: [C] });
        const id = await start('2.0.0', { template: SLOW_ON_B, ...steps });
        await backend.until(id, waitsAt(0));
        await act(id, 'promote');
        await backend.until(id, ({ targets }) => targets[1].state === 'Verifying');
        await clusters().outage('kill', B);
        try {
          const away = await backend.until(id, waitsAt(1, 'unreachable'));
          expect(states(away)).toEqual(['Done', 'Verifying', 'Pending']);
        } finally {
          await clusters().outage('up', B);
        }
        expect(await backend.ended(id)).toMatchObject({ state: 'Succeeded' });
        expect(await versions()).toEqual(NEW);
        expect(await told(id, 'Unreachable', 'ReachableAgain')).toEqual([
          `system Unreachable ${B}`,
          `system ReachableAgain ${B}`,
        ]);
      }));

    it('freezes behind a promoted step: no gate passes without its word', () =>
      inScene(async ({ backend, start, act, versions, kubectl }) => {
        const id = await start('2.0.0', ONE_BY_ONE);
        await backend.until(id, waitsAt(0));
        await clusters().outage('freeze', A);
        try {
          await backend.until(id, waitsAt(0, 'unreachable'));
          await act(id, 'promote', { full: true });
          const held = await backend.until(id, ({ stages }) => stages[0].promotedBy !== undefined);
          expect(states(held)).toEqual(['Done', 'Pending', 'Pending']);
          const image = 'jsonpath={.spec.template.spec.containers[0].image}';
          expect(await kubectl(B, 'get', 'deployment', 'checkout', '-o', image)).toMatch(/:1.0.0$/);
        } finally {
          await clusters().outage('thaw', A);
        }
        expect(await backend.ended(id)).toMatchObject({ state: 'Succeeded' });
        expect(await versions()).toEqual(NEW);
      }));

    it('is killed, and another one freezes, in the middle of a rollback: both go back', () =>
      inScene(
        async ({ backend, start, act, versions, told }) => {
          const id = await start('2.0.0', ALL_AT_ONCE);
          await backend.until(id, waitsAt(0));
          await act(id, 'rollback', { reason: 'it is slow' });
          await backend.until(id, ({ targets }) =>
            targets.every(
              ({ state, appliedAt }) => state === 'RollingBack' && appliedAt !== undefined,
            ),
          );
          await Promise.all([clusters().outage('kill', B), clusters().outage('freeze', C)]);
          try {
            const away = await backend.until(
              id,
              ({ targets: [one, ...others] }) =>
                one.state === 'RolledBack' &&
                others.every(({ unreachableSince }) => unreachableSince !== undefined),
            );
            expect(away.state).toBe('RollingBack');
            expect(away.waiting).toEqual(
              [B, C].map(cluster =>
                expect.objectContaining({ code: 'rollbackPending', params: { cluster } }),
              ),
            );
          } finally {
            await clusters().outage('up', B);
            await clusters().outage('thaw', C);
          }
          expect(await backend.ended(id)).toMatchObject({ state: 'RolledBack' });
          expect(await versions()).toEqual(OLD);
          expect(await told(id, 'RollbackRequested', 'ReleaseRolledBack')).toEqual([
            'user:default/ann RollbackRequested (it is slow)',
            'system ReleaseRolledBack',
          ]);
        },
        { old: { change: slow } },
      ));
  });
});

function ticketOf(stamp: string): number {
  return Number(stamp.split('.')[1]);
}

/** By sequence, then by ticket. */
function byStamp(one: string, other: string): number {
  const [[sequence, ticket], [otherSequence, otherTicket]] = [one, other].map(stamp =>
    stamp.split('.').map(Number),
  );
  return sequence - otherSequence || ticket - otherTicket;
}
