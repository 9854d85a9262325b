import { describeOnEachDatabase } from '../../__testUtils__/eachDatabase';
import { sampleRelease, SERVICE } from '../../__testUtils__/samples';
import { createRelease } from '../releases/createRelease';
import { listPlaces } from './listPlaces';

const OTHER = 'component:default/other';

describeOnEachDatabase('listPlaces', open => {
  it('knows where services run and where releases have work left', async () => {
    const database = await open();
    await createRelease(
      database,
      sampleRelease({ id: 'r1', clusters: ['cluster-a', 'cluster-b'] }),
    );
    await createRelease(database, sampleRelease({ id: 'r2', service: OTHER }));
    await database('releases').where('id', 'r2').update({ needs_work: false });
    for (const namespace of ['blue', 'green']) {
      const row = { service: OTHER, cluster: 'cluster-c', release_id: 'r2', inventory: '[]' };
      await database('running').insert({ ...row, namespace });
    }
    expect(await listPlaces(database)).toEqual([
      { service: OTHER, cluster: 'cluster-c' },
      { service: SERVICE, cluster: 'cluster-a', releaseId: 'r1' },
      { service: SERVICE, cluster: 'cluster-b', releaseId: 'r1' },
    ]);
  });
});
