import { describeOnEachDatabase } from '../../__testUtils__/eachDatabase';
import { NOON, sampleRelease, SERVICE } from '../../__testUtils__/samples';
import { listEvents } from '../events/listEvents';
import { createRelease } from '../releases/createRelease';
import { findHold } from './findHold';
import { listHolds } from './listHolds';
import { placeHold } from './placeHold';
import { releaseHold } from './releaseHold';

const hold = {
  service: SERVICE,
  version: '2.0.0',
  reason: 'crashed',
  releaseId: 'r1',
  now: NOON,
};

describeOnEachDatabase('releaseHold', open => {
  it('releases once, says who and why, and lets the version be held again', async () => {
    const database = await open();
    await createRelease(database, sampleRelease({ id: 'r1' }));
    await database.transaction(tx => placeHold(tx, hold));
    const [{ id }] = (await listHolds(database, {})).items;
    const release = {
      id,
      by: 'user:default/ada',
      reason: 'fixed quota',
      now: NOON + 1,
    };
    const presses = [releaseHold(database, release), releaseHold(database, release)];
    expect((await Promise.all(presses)).sort()).toEqual(['released', 'unchanged']);
    expect((await listHolds(database, {})).items).toEqual([]);
    expect(await findHold(database, id)).toMatchObject({
      releasedBy: 'user:default/ada',
      releasedAt: NOON + 1,
    });
    const events = await listEvents(database, { releaseId: 'r1', limit: 10 });
    expect(events.slice(1)).toMatchObject([
      {
        code: 'holdReleased',
        actor: 'user:default/ada',
        reason: 'fixed quota',
        params: { version: '2.0.0' },
      },
    ]);
    await database.transaction(tx => placeHold(tx, { ...hold, now: NOON + 2 }));
    expect((await listHolds(database, {})).items).toHaveLength(1);
  });

  it('says when there is no such hold', async () => {
    const database = await open();
    const release = { id: 'none', by: 'user:default/ada', now: NOON };
    await expect(releaseHold(database, release)).rejects.toMatchObject({
      name: 'NotFoundError',
    });
  });
});
