import { describeOnEachDatabase } from '../../__testUtils__/eachDatabase';
import { NOON } from '../../__testUtils__/samples';
import { findClusterListing } from './findClusterListing';
import { listClusterStatus } from './listClusterStatus';
import { saveClusterListing } from './saveClusterListing';
import { saveClusterStatus } from './saveClusterStatus';

describeOnEachDatabase('clusters', open => {
  it('keeps the last good answer beside a bad state', async () => {
    const database = await open();
    const good = {
      cluster: 'a',
      state: 'ok' as const,
      since: NOON,
      reportedAt: NOON,
      detail: { nodes: 3 },
    };
    await saveClusterStatus(database, [{ cluster: 'b', state: 'starting', since: NOON }, good]);
    const bad = {
      cluster: 'a',
      state: 'timeout' as const,
      message: 'no answer in 5 s',
      since: NOON + 9,
    };
    await saveClusterStatus(database, [bad]);
    expect(await listClusterStatus(database)).toEqual([
      { ...bad, reportedAt: NOON, detail: { nodes: 3 } },
      { cluster: 'b', state: 'starting', since: NOON },
    ]);
    await saveClusterStatus(database, [{ ...good, since: NOON + 20 }]);
    expect((await listClusterStatus(database))[0].message).toBeUndefined();
    await saveClusterStatus(database, []);
  });

  it('remembers the last listing with clusters in it, and never an empty one (C07)', async () => {
    const database = await open();
    expect(await findClusterListing(database, 'fleet')).toBeUndefined();
    const listing = { source: 'fleet', clusters: ['a', 'b'], listedAt: NOON };
    await saveClusterListing(database, listing);
    const empty = { source: 'fleet', clusters: [], listedAt: NOON + 1 };
    await expect(saveClusterListing(database, empty)).rejects.toMatchObject({
      name: 'InputError',
    });
    expect(await findClusterListing(database, 'fleet')).toEqual(listing);
    await saveClusterListing(database, { ...listing, clusters: ['a'] });
    expect((await findClusterListing(database, 'fleet'))?.clusters).toEqual(['a']);
  });
});
