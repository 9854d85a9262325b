import { describeOnEachDatabase } from '../../__testUtils__/eachDatabase';
import { NOON } from '../../__testUtils__/samples';
import { findClusterListing } from './findClusterListing';
import { forgetClusterListing } from './forgetClusterListing';
import { saveClusterListing } from './saveClusterListing';

describeOnEachDatabase('clusters', open => {
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
    await forgetClusterListing(database, 'fleet');
    expect(await findClusterListing(database, 'fleet')).toBeUndefined();
  });
});
