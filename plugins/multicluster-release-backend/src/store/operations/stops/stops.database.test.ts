import { describeOnEachDatabase } from '../../__testUtils__/eachDatabase';
import { NOON } from '../../__testUtils__/samples';
import { findStop } from './findStop';
import { liftStop } from './liftStop';
import { listStops } from './listStops';
import { placeStop } from './placeStop';

const stop = {
  id: 's1',
  scope: { regions: ['cn-east-1'] },
  reason: 'fibre cut',
  allowRollback: false,
  by: 'user:default/ada',
  now: NOON,
};

describeOnEachDatabase('emergency stops', open => {
  it('stand until they are lifted, and say by whom, when and why', async () => {
    const database = await open();
    expect(await placeStop(database, stop)).toMatchObject({ result: 'placed', stop: { id: 's1' } });
    expect((await listStops(database, {})).items).toEqual([
      {
        id: 's1',
        scope: { regions: ['cn-east-1'] },
        reason: 'fibre cut',
        allowRollback: false,
        by: 'user:default/ada',
        since: NOON,
        lifted: undefined,
      },
    ]);
    const lift = { id: 's1', by: 'user:default/bob', reason: 'spliced', now: NOON + 5 };
    const presses = [liftStop(database, lift), liftStop(database, lift)];
    expect((await Promise.all(presses)).sort()).toEqual(['lifted', 'unchanged']);
    expect((await listStops(database, {})).items).toEqual([]);
    const lifted = { by: 'user:default/bob', at: NOON + 5, reason: 'spliced' };
    expect(await findStop(database, 's1')).toMatchObject({ lifted });
    expect((await listStops(database, { ended: true })).items).toMatchObject([{ lifted }]);
  });

  it('count once while the same one stands, and again after it', async () => {
    const database = await open();
    const presses = ['s1', 's2', 's3'].map(id => placeStop(database, { ...stop, id }));
    const results = (await Promise.all(presses)).map(({ result }) => result);
    expect(results.sort()).toEqual(['exists', 'exists', 'placed']);
    const [{ id }] = (await listStops(database, {})).items;
    await placeStop(database, { ...stop, id: 's4', allowRollback: true });
    await placeStop(database, { ...stop, id: 's5', scope: { all: true } });
    expect(await database('stops')).toHaveLength(3);
    await liftStop(database, { id, by: 'user:default/bob', reason: 'spliced', now: NOON + 1 });
    const again = await placeStop(database, { ...stop, id: 's6' });
    expect(again).toMatchObject({ result: 'placed', stop: { id: 's6', lifted: undefined } });
  });

  it('are listed newest first, page by page', async () => {
    const database = await open();
    for (const minute of [1, 2, 3]) {
      const scope = { clusters: [`cluster-${minute}`] };
      await placeStop(database, { ...stop, id: `s${minute}`, scope, now: NOON + minute });
    }
    const first = await listStops(database, { limit: 2 });
    expect(first.items.map(({ id }) => id)).toEqual(['s3', 's2']);
    const second = await listStops(database, { limit: 2, cursor: first.nextCursor });
    expect(second.items.map(({ id }) => id)).toEqual(['s1']);
  });

  it('that do not exist cannot be lifted', async () => {
    const database = await open();
    const lift = liftStop(database, { id: 'none', by: 'user:default/ada', reason: 'x', now: NOON });
    await expect(lift).rejects.toMatchObject({ name: 'NotFoundError' });
  });
});
