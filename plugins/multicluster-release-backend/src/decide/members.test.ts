import type { Plan, ReleaseSpec, Selection } from 'backstage-plugin-multicluster-release-common';
import { Bench, keyOf, planOf } from './testing';
import type { CurrentRecord, Reselected } from './types';

const NAMESPACE = 'production';

const SPEC: ReleaseSpec = {
  service: 'component:default/checkout',
  targetVersion: '2.0.0',
  strategy: {
    type: 'RollingUpdate',
    mode: 'Serial',
    batches: { by: 'groups' },
    stabilizeMilliseconds: 0,
  },
  placement: { kind: 'list', clusters: [] },
  policy: {
    order: { by: 'all' },
    timeoutMilliseconds: 600_000,
    retries: 0,
    maxFailures: 0,
    onFailure: 'RollbackTouched',
    onNewer: 'Queue',
    offline: { policy: 'Wait', afterMilliseconds: 600_000 },
    prune: true,
  },
  rollbackOn: [],
  pruneAlso: [],
};

/** What the placement selects by now: every cluster with what the plan has for it, or for others. */
function now(plan: Plan, clusters: string[], more: Partial<Selection> = {}): Reselected {
  const content = { digest: '2.0.0@x', version: '2.0.0' };
  const targets = clusters.map(cluster => ({
    key: keyOf(cluster),
    cluster,
    namespace: NAMESPACE,
    fleet: { name: cluster, labels: {} },
  }));
  const contents = targets.map(({ key }) => {
    const planned = plan.targets.find(target => target.key === key);
    return [key, planned?.to ?? content] as const;
  });
  return {
    spec: SPEC,
    selection: { targets, excluded: [], findings: [], ...more },
    contents: new Map(contents),
  };
}

const current = (clusters: string[]) =>
  new Map<string, CurrentRecord>(
    clusters.map(cluster => [
      keyOf(cluster),
      { content: { digest: `1.0.0@${cluster}`, version: '1.0.0' }, sequence: 4, inventory: [] },
    ]),
  );

describe('a queued release whose turn has come', () => {
  const plan = planOf([{ clusters: ['a'] }, { clusters: ['b'] }]);

  function itsTurn(reselected: Reselected | { untrusted: string }, rules = {}): Bench {
    const bench = new Bench({ ...plan, rules: { ...plan.rules, ...rules } });
    bench.run.queuedBehind = 'r0';
    bench.queue = { aheadEnded: false, current: new Map() };
    bench.turn();
    bench.queue = { aheadEnded: true, current: current(['a', 'b', 'c']), reselected };
    return bench.turn();
  }

  it('goes on by itself where the same clusters are selected', () => {
    const bench = itsTurn(now(plan, ['a', 'b']));
    expect(bench.run.planChanged).toBeUndefined();
    expect(bench.effects).toMatchObject([{ kind: 'check', target: { cluster: 'a' } }]);
  });

  it('brings its content again where the release ahead has failed, whatever the record has as proven', () => {
    const there = plan.targets.map(target => ({ ...target, from: target.to, unchanged: true }));
    const bench = new Bench({ ...plan, targets: there });
    bench.run.queuedBehind = 'r0';
    bench.queue = { aheadEnded: false, current: new Map() };
    bench.turn();
    const records = there.map(({ key, to }, index) => {
      const record: CurrentRecord = { content: to, sequence: 4, inventory: [] };
      return [key, { ...record, unproven: index === 0 ? true : undefined }] as const;
    });
    bench.queue = { aheadEnded: true, current: new Map(records) };
    bench.turn();
    expect(bench.run.planChanged).toBeDefined();
    expect(bench.run.targets.map(({ state }) => state)).toEqual(['Pending', 'Unchanged']);
  });

  it.each([['Queue'], ['Supersede']])(
    'asks before it goes to a cluster that joined, and then does (%s)',
    onNewer => {
      const bench = itsTurn(now(plan, ['a', 'b', 'c']), { onNewer });
      expect(bench.run).toMatchObject({ state: 'Waiting', waiting: [{ code: 'planChanged' }] });
      expect(bench.run.planChanged?.message).toBe('c joined since it was queued');
      expect(bench.effects).toEqual([]);
      expect(bench.run.planChanged?.hash).toBe(bench.run.plans.at(-1)?.hash);
      bench.run.planChanged = undefined;
      for (const cluster of ['a', 'b', 'c']) {
        bench.sees(cluster, { health: 'Healthy' });
      }
      bench.settle();
      expect(bench.run.state).toBe('Succeeded');
      expect(bench.applied()).toEqual(['a', 'b', 'c']);
    },
  );

  it('tells all that has changed: who accepts the plan accepts all of it', () => {
    const bench = new Bench(plan);
    bench.run.queuedBehind = 'r0';
    bench.queue = {
      aheadEnded: true,
      current: current(['a']),
      reselected: now(plan, ['a', 'b', 'c']),
      hold: 'crashed on a',
    };
    bench.turn();
    expect(bench.run.planChanged?.message).toBe(
      '2.0.0 was put on hold meanwhile: crashed on a; c joined since it was queued; the release ahead left other versions than expected',
    );
  });

  it.each([['aborted'], ['superseded']] as const)(
    'ends where it is %s while the list cannot be trusted',
    order => {
      const bench = itsTurn({ untrusted: 'it could not be read' });
      bench.run[order] = { by: 'user:default/ann', since: bench.now };
      bench.turn();
      expect(bench.run.state).toBe(order === 'aborted' ? 'Aborted' : 'Superseded');
      expect(bench.effects).toEqual([]);
    },
  );

  it('leaves it to the person who skipped a cluster that then left', () => {
    const bench = new Bench(plan);
    bench.run.queuedBehind = 'r0';
    bench.run.targets[1].skip = { by: 'user:default/ann', at: bench.now };
    bench.queue = {
      aheadEnded: true,
      current: current(['a', 'b']),
      reselected: now(plan, ['a']),
    };
    bench.turn();
    expect(bench.states()).toEqual({ a: 'Pending', b: 'Skipped' });
    expect(bench.run.targets[1]).toMatchObject({ skip: { by: 'user:default/ann' } });
    expect(bench.run.targets[1].left).toBeUndefined();
  });

  it('passes over who is not selected any more, and says so', () => {
    const bench = itsTurn(now(plan, ['b']));
    expect(bench.run.planChanged?.message).toBe('a left since it was queued');
    expect(bench.states()).toEqual({ b: 'Pending', a: 'Skipped' });
    expect(bench.events).toContainEqual(
      expect.objectContaining({ code: 'TargetLeft', key: keyOf('a') }),
    );
    bench.run.planChanged = undefined;
    bench.sees('b', { health: 'Healthy' }).settle();
    expect(bench.run.state).toBe('Succeeded');
    expect(bench.applied()).toEqual(['b']);
  });

  it('keeps who was skipped meanwhile out, also where others joined', () => {
    const bench = new Bench(plan);
    bench.run.queuedBehind = 'r0';
    bench.run.targets[1].skip = { by: 'user:default/ann', at: bench.now };
    bench.queue = { aheadEnded: false, current: new Map() };
    bench.turn();
    const reselected = now(plan, ['a', 'b', 'c']);
    bench.queue = { aheadEnded: true, current: current([]), reselected };
    expect(bench.turn().states()).toEqual({ a: 'Pending', b: 'Skipped', c: 'Pending' });
  });

  it('asks where the clusters of now cannot be planned, and goes on with those of the start', () => {
    const message = 'cluster-x is not in the fleet.';
    const error = { severity: 'error', code: 'UnknownCluster', params: {}, message } as const;
    const bench = itsTurn(now(plan, ['a'], { findings: [error] }));
    expect(bench.run.planChanged?.message).toContain(message);
    bench.run.planChanged = undefined;
    expect(bench.turn().effects).toMatchObject([{ kind: 'check', target: { cluster: 'a' } }]);
  });

  it('waits while the list of clusters cannot be trusted, and looks again (C07)', () => {
    const bench = itsTurn({ untrusted: 'it could not be read' });
    expect(bench.run).toMatchObject({
      state: 'Pending',
      queuedBehind: 'r0',
      waiting: [{ code: 'clusters', since: bench.now, params: { why: 'it could not be read' } }],
    });
    expect(bench.effects).toEqual([]);
    expect(bench.decision?.wakeAt).toBe(bench.now + 5_000);
    bench.queue = {
      aheadEnded: true,
      current: current(['a', 'b']),
      reselected: now(plan, ['a', 'b']),
    };
    expect(bench.turn(5_000).effects).toHaveLength(1);
  });
});
