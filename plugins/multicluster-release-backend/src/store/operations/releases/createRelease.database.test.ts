import { describeOnEachDatabase } from '../../__testUtils__/eachDatabase';
import { NOON, sampleContent, sampleRelease, SERVICE } from '../../__testUtils__/samples';
import type { IdempotencyKey } from '../../types';
import { createRelease } from './createRelease';
import { findRelease } from './findRelease';
import { loadRuns } from './loadRuns';

const key: IdempotencyKey = {
  scope: 'user:default/ada',
  key: 'click-1',
  bodyHash: 'abc',
};

describeOnEachDatabase('createRelease', open => {
  it('writes release, plan, targets, events and content references', async () => {
    const database = await open();
    const release = sampleRelease({ id: 'r1' });
    expect(await createRelease(database, release)).toEqual({
      result: 'created',
      id: 'r1',
    });
    expect(await findRelease(database, 'r1')).toMatchObject({
      id: 'r1',
      service: SERVICE,
      state: 'Pending',
      strategy: 'RollingUpdate',
      targetVersion: '2.0.0',
      plan: { hash: 'sha256:r1-1', number: 1 },
      targetStates: { Pending: 2 },
      targetHealth: { Unknown: 2 },
      startedBy: 'user:default/ada',
      needsWork: true,
      revision: 1,
    });
    const loaded = (await loadRuns(database, ['r1', 'nothing'])).get('r1');
    const { run } = release.begin({ sequence: 1, running: [], leaving: [], holds: [] });
    expect(loaded).toEqual({
      run: JSON.parse(JSON.stringify(run)),
      revision: 1,
      record: await findRelease(database, 'r1'),
    });
    expect(await database('content_references').select('release_id', 'digest')).toEqual([
      { release_id: 'r1', digest: sampleContent('2.0.0').digest },
    ]);
    expect(await database('events').select('code', 'actor', 'release_id')).toEqual([
      { code: 'ReleaseCreated', actor: 'user:default/ada', release_id: 'r1' },
    ]);
  });

  it('queues each release behind the last active one, when many are made at once', async () => {
    const database = await open();
    const ids = ['r1', 'r2', 'r3', 'r4', 'r5', 'r6'];
    await Promise.all(ids.map(id => createRelease(database, sampleRelease({ id }))));
    const rows = await database('releases').select('id', 'queued_behind');
    const behind = new Map(rows.map(row => [row.queued_behind, row.id]));
    const queue: string[] = [];
    for (let next = behind.get(null); next; next = behind.get(next)) {
      queue.push(next);
    }
    expect([...queue].sort()).toEqual(ids);
    const plans = await database('plans').select('sequence');
    expect(plans.map(plan => plan.sequence).sort()).toEqual([1, 2, 3, 4, 5, 6]);
    expect((await database('services').first()).last_sequence).toBe(6);
  });

  it('does not queue behind a final release, nor behind another service', async () => {
    const database = await open();
    await createRelease(database, sampleRelease({ id: 'done' }));
    await database('releases').update({ state: 'CompletedWithPending' });
    await createRelease(database, sampleRelease({ id: 'other', service: 'component:default/b' }));
    await createRelease(database, sampleRelease({ id: 'next' }));
    expect((await findRelease(database, 'next'))?.queuedBehind).toBeUndefined();
  });

  it('counts a double click once', async () => {
    const database = await open();
    const clicks = ['r1', 'r2', 'r3'].map(id =>
      createRelease(database, { ...sampleRelease({ id }), idempotency: key }),
    );
    const results = await Promise.all(clicks);
    expect(results.map(({ result }) => result).sort()).toEqual(['created', 'repeated', 'repeated']);
    expect(new Set(results.map(({ id }) => id)).size).toBe(1);
    expect(await database('releases')).toHaveLength(1);
  });

  it('refuses a key that was used for another body, and forgets it after a day', async () => {
    const database = await open();
    await createRelease(database, {
      ...sampleRelease({ id: 'r1' }),
      idempotency: key,
    });
    const other = { ...key, bodyHash: 'other' };
    await expect(
      createRelease(database, {
        ...sampleRelease({ id: 'r2' }),
        idempotency: other,
      }),
    ).rejects.toMatchObject({
      name: 'ConflictError',
      code: 'IdempotencyKeyReused',
    });
    expect(await database('releases')).toHaveLength(1);
    const nextDay = sampleRelease({
      id: 'r3',
      now: NOON + 24 * 60 * 60 * 1000,
    });
    expect(await createRelease(database, { ...nextDay, idempotency: other })).toEqual({
      result: 'created',
      id: 'r3',
    });
  });

  it('is named by the final release that it puts back', async () => {
    const database = await open();
    await createRelease(database, sampleRelease({ id: 'bad' }));
    await database('releases').update({ state: 'Succeeded' });
    const back = { ...sampleRelease({ id: 'back' }), rolledBackFrom: 'bad' };
    await createRelease(database, back);
    expect(await findRelease(database, 'bad')).toMatchObject({
      rolledBackBy: 'back',
      revision: 2,
    });
    expect(await findRelease(database, 'back')).toMatchObject({
      rolledBackFrom: 'bad',
    });
    const unknown = { ...sampleRelease({ id: 'x' }), rolledBackFrom: 'never' };
    await expect(createRelease(database, unknown)).rejects.toThrow('never');
    expect(await findRelease(database, 'x')).toBeUndefined();
  });
});
