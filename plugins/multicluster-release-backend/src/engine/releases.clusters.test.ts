import { states } from '../testing/runs';
import { canary, slow } from '../testing/samples';
import { suiteOnRealClusters } from '../testing/suiteOnRealClusters';

const CLUSTERS = ['faults-a', 'faults-b', 'faults-c'];
const [A, B, C] = CLUSTERS;
const SERIAL = { type: 'RollingUpdate', rollingUpdate: { mode: 'Serial' } };
const everywhere = (version: string) => CLUSTERS.map(() => version);

describe('releases over real clusters', () => {
  const { clusters, inEmptyScene, inScene } = suiteOnRealClusters({
    ...{ names: CLUSTERS, prefix: 'shop' },
  });

  it('goes one by one, prunes what is no longer there, and writes nothing the second time', () =>
    inEmptyScene(async ({ released, versions, kubectl }) => {
      expect(await released('1.0.0', { strategy: SERIAL })).toMatchObject({ state: 'Succeeded' });
      expect(await versions()).toEqual(everywhere('1.0.0'));
      expect(await released('2.0.0', { strategy: SERIAL })).toMatchObject({ state: 'Succeeded' });
      expect(await versions()).toEqual(everywhere('2.0.0'));
      const maps = await kubectl(A, 'get', 'configmaps', '-o', 'name');
      expect(maps).not.toContain('only-in-1');
      const again = await released('2.0.0', { strategy: SERIAL });
      expect(again).toMatchObject({
        state: 'Succeeded',
        targets: CLUSTERS.map(() => ({ state: 'Unchanged' })),
      });
    }));

  it('stops at a crashing image, puts back what it touched and leaves the rest alone', () =>
    inScene(async ({ start, released, versions }) => {
      const run = await released('3.0.0', { strategy: SERIAL });
      expect(run).toMatchObject({ state: 'RolledBack', rollback: { by: 'system' } });
      expect(states(run)).toEqual(['RolledBack', 'Unchanged', 'Unchanged']);
      expect(await versions()).toEqual(everywhere('1.0.0'));
      await expect(start('3.0.0')).rejects.toMatchObject({ code: 'OnHold' });
    }));

  it('pauses and resumes on the way', () =>
    inScene(async ({ backend, start, act, versions }) => {
      const steps = canary({ clusters: [A], pause: '3s' }, { clusters: [B] }, { clusters: [C] });
      const id = await start('2.0.0', steps);
      await backend.until(id, ({ targets }) => targets[0].state === 'Done');
      await act(id, 'pause', { reason: 'lunch' });
      const paused = await backend.until(id, ({ state }) => state === 'Paused');
      expect(paused.waiting[0]).toMatchObject({ code: 'paused', params: { reason: 'lunch' } });
      expect(await versions()).toEqual(['2.0.0', '1.0.0', '1.0.0']);
      await act(id, 'resume');
      expect(await backend.ended(id)).toMatchObject({ state: 'Succeeded' });
      expect(await versions()).toEqual(everywhere('2.0.0'));
    }));

  it('rolls a finished release back as a new one, from stored content', () =>
    inScene(async ({ backend, released, act, versions, kubectl }) => {
      const { id } = await released('2.0.0');
      const back = await backend.ended(await act(id, 'rollback', { reason: 'slow' }));
      expect(back).toMatchObject({ state: 'Succeeded' });
      expect(await versions()).toEqual(everywhere('1.0.0'));
      const maps = await kubectl(A, 'get', 'configmap', 'only-in-1', '-o', 'jsonpath={.data.a}');
      expect(maps).toBe('b');
    }));

  it('waits for a cluster that is down before its turn, and goes on with the others', () =>
    inScene(async ({ backend, start, versions }) => {
      await clusters().outage('kill', B);
      try {
        const id = await start('2.0.0');
        const run = await backend.until(
          id,
          ({ targets }) =>
            targets[0].state === 'Done' &&
            targets[2].state === 'Done' &&
            targets[1].unreachableSince !== undefined,
        );
        expect(run.waiting.map(({ code }) => code)).toContain('unreachable');
        await clusters().outage('up', B);
        expect(await backend.ended(id)).toMatchObject({ state: 'Succeeded' });
      } finally {
        await clusters().outage('up', B);
      }
      expect(await versions()).toEqual(everywhere('2.0.0'));
    }));

  it('sits out a cluster that stops answering in the middle of its turn', () =>
    inScene(async ({ backend, start }) => {
      const id = await start('2.0.0', { change: slow });
      await backend.until(id, ({ targets }) => targets[1].state === 'Verifying');
      await clusters().outage('freeze', B);
      try {
        await backend.until(
          id,
          ({ targets }) => targets[0].state === 'Done' && targets[1].unreachableSince !== undefined,
        );
      } finally {
        await clusters().outage('thaw', B);
      }
      expect(await backend.ended(id)).toMatchObject({ state: 'Succeeded' });
    }));

  it('finishes a rollback on a cluster that was away', () =>
    inScene(async ({ backend, start, act, versions }) => {
      const policy = { offline: { policy: 'Wait', after: '2s' } };
      const steps = canary({ clusters: CLUSTERS, pause: {} });
      const id = await start('2.0.0', { policy, ...steps });
      await backend.until(id, ({ targets }) => targets.every(({ state }) => state === 'Done'));
      await clusters().outage('kill', C);
      try {
        await backend.until(id, ({ targets }) => targets[2].unreachableSince !== undefined);
        await act(id, 'rollback', { reason: 'looks wrong' });
        const run = await backend.until(id, ({ state }) => state === 'RolledBack');
        expect(states(run)).toEqual(['RolledBack', 'RolledBack', 'RollbackPending']);
        expect(run.needsWork).toBe(true);
      } finally {
        await clusters().outage('up', C);
      }
      expect(states(await backend.ended(id))).toEqual(CLUSTERS.map(() => 'RolledBack'));
      expect(await versions()).toEqual(everywhere('1.0.0'));
    }));

  it('finds a manifest that an API server refuses before any cluster is written', () =>
    inScene(async ({ backend, start, versions, documents }) => {
      const broken = (objects: object[]) =>
        objects.push({
          apiVersion: 'v1',
          kind: 'Service',
          metadata: { name: 'odd' },
          spec: { ports: [{ port: 99999 }] },
        });
      const { findings } = await backend.preview(documents('2.0.0', { change: broken }));
      expect(findings.filter(({ severity }) => severity === 'error')).toHaveLength(CLUSTERS.length);
      expect(findings[0].message).toMatch(/Service.*odd/);
      await expect(start('2.0.0', { change: broken })).rejects.toThrow(/odd/);
      expect(await versions()).toEqual(everywhere('1.0.0'));
    }));

  it('lets the second of two people who press at once wait behind the first', () =>
    inScene(async ({ backend, start, versions }) => {
      const [first, second] = await Promise.all([start('2.0.0'), start('4.0.0')]);
      const runs = await Promise.all([backend.ended(first), backend.ended(second)]);
      expect(runs.map(({ state }) => state)).toEqual(['Succeeded', 'Succeeded']);
      const [earlier, later] = runs.sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0));
      expect(later.startedAt).toBeGreaterThanOrEqual(earlier.finishedAt ?? Infinity);
      expect(await versions()).toEqual(everywhere(later.targetVersion));
    }));
});
