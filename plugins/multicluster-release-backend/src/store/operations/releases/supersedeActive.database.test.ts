import { describeOnEachDatabase } from '../../__testUtils__/eachDatabase';
import { sampleRelease } from '../../__testUtils__/samples';
import type { NewRelease } from '../../types';
import { changeRun } from './changeRun';
import { createRelease } from './createRelease';
import { loadRuns } from './loadRuns';

function superseding(id: string): NewRelease {
  const release = sampleRelease({ id });
  const rules = { ...release.plan.rules, onNewer: 'Supersede' as const };
  return { ...release, plan: { ...release.plan, rules } };
}

describeOnEachDatabase('a release that supersedes', open => {
  it('lets the ones under way make room, tells them who asked, and waits behind them', async () => {
    const database = await open();
    await createRelease(database, sampleRelease({ id: 'r1' }));
    await createRelease(database, sampleRelease({ id: 'r2' }));
    await changeRun(
      database,
      'r2',
      ({ run }) => ({
        run: { ...run, rollback: { by: 'u', reason: 'r', since: 1, scope: 'touched' } },
        events: [],
      }),
      { now: 1 },
    );
    await createRelease(database, superseding('r3'));
    const runs = await loadRuns(database, ['r1', 'r2', 'r3']);
    expect(runs.get('r1')).toMatchObject({
      revision: 2,
      run: { superseded: { by: 'user:default/ada' }, needsWork: true },
    });
    expect(runs.get('r2')?.run.superseded).toBeUndefined();
    expect(runs.get('r3')?.run).toMatchObject({ queuedBehind: 'r2' });
    const events = await database('events').where('code', 'SupersedeRequested');
    expect(events).toMatchObject([{ release_id: 'r1', actor: 'user:default/ada' }]);
  });

  it('does nothing to the others where it only queues', async () => {
    const database = await open();
    await createRelease(database, sampleRelease({ id: 'r1' }));
    await createRelease(database, sampleRelease({ id: 'r2' }));
    expect((await loadRuns(database, ['r1'])).get('r1')?.run.superseded).toBeUndefined();
  });
});
