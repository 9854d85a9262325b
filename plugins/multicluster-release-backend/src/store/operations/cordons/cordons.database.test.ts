import { describeOnEachDatabase } from '../../__testUtils__/eachDatabase';
import { NOON } from '../../__testUtils__/samples';
import { liftCordon } from './liftCordon';
import { listCordons } from './listCordons';
import { placeCordon } from './placeCordon';

const cordon = {
  id: 'c1',
  cluster: 'cluster-a',
  reason: 'new disks',
  by: 'user:default/ada',
  now: NOON,
};

describeOnEachDatabase('cordons', open => {
  it('stand once for a cluster until they are lifted', async () => {
    const database = await open();
    const presses = ['c1', 'c2'].map(id => placeCordon(database, { ...cordon, id }));
    expect((await Promise.all(presses)).sort()).toEqual(['placed', 'unchanged']);
    await placeCordon(database, { ...cordon, id: 'c0', cluster: 'cluster-0' });
    expect(await listCordons(database)).toMatchObject([
      { cluster: 'cluster-0' },
      { cluster: 'cluster-a', reason: 'new disks', by: 'user:default/ada', since: NOON },
    ]);
    const lift = {
      cluster: 'cluster-a',
      by: 'user:default/bob',
      reason: 'disks are in',
      now: NOON + 5,
    };
    const lifts = [liftCordon(database, lift), liftCordon(database, lift)];
    expect((await Promise.all(lifts)).sort()).toEqual(['lifted', 'unchanged']);
    expect((await listCordons(database)).map(({ cluster }) => cluster)).toEqual(['cluster-0']);
    expect(await database('cordons').where('cluster', 'cluster-a')).toMatchObject([
      { lifted_by: 'user:default/bob', lift_reason: 'disks are in' },
    ]);
    expect(await placeCordon(database, { ...cordon, id: 'c3', now: NOON + 6 })).toBe('placed');
  });
});
