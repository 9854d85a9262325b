import { describeOnEachDatabase } from '../../__testUtils__/eachDatabase';
import { NOON, SERVICE } from '../../__testUtils__/samples';
import { addWindow } from './addWindow';
import type { WindowToAdd } from './addWindow';
import { findWindow } from './findWindow';
import { listWindows } from './listWindows';
import { removeWindow } from './removeWindow';

const window: WindowToAdd = {
  id: 'w1',
  spec: {
    name: 'office hours',
    cron: '0 9 * * 1-5',
    durationMilliseconds: 8 * 3_600_000,
    timeZone: 'Asia/Shanghai',
    kind: 'allow',
  },
  services: [SERVICE],
  reason: 'somebody must be there',
  by: 'user:default/ada',
  now: NOON,
};

describeOnEachDatabase('release windows', open => {
  it('are kept as they were given, and how they ended', async () => {
    const database = await open();
    expect(await addWindow(database, window)).toMatchObject({ result: 'added' });
    const { now, ...kept } = window;
    expect((await listWindows(database, {})).items).toEqual([
      { ...kept, since: NOON, removed: undefined },
    ]);
    const removal = { id: 'w1', by: 'user:default/bob', reason: 'night shift', now: NOON + 5 };
    const presses = [removeWindow(database, removal), removeWindow(database, removal)];
    expect((await Promise.all(presses)).sort()).toEqual(['removed', 'unchanged']);
    expect((await listWindows(database, {})).items).toEqual([]);
    const removed = { by: 'user:default/bob', at: NOON + 5, reason: 'night shift' };
    expect(await findWindow(database, 'w1')).toMatchObject({ removed });
    expect((await listWindows(database, { ended: true })).items).toMatchObject([{ removed }]);
  });

  it('count once, and keep their name to themselves while they stand', async () => {
    const database = await open();
    const presses = ['w1', 'w2'].map(id => addWindow(database, { ...window, id }));
    const results = (await Promise.all(presses)).map(({ result }) => result);
    expect(results.sort()).toEqual(['added', 'exists']);
    const other = { ...window, id: 'w3', services: undefined };
    expect(await addWindow(database, other)).toMatchObject({ result: 'nameTaken' });
    const [{ id }] = (await listWindows(database, {})).items;
    await removeWindow(database, { id, by: 'user:default/bob', reason: 'x', now: NOON + 1 });
    expect(await addWindow(database, other)).toMatchObject({
      result: 'added',
      window: { id: 'w3', services: undefined },
    });
    expect(await database('windows')).toHaveLength(2);
  });

  it('are listed newest first, page by page', async () => {
    const database = await open();
    for (const minute of [1, 2, 3]) {
      const spec = { ...window.spec, name: `window ${minute}` };
      await addWindow(database, { ...window, id: `w${minute}`, spec, now: NOON + minute });
    }
    const first = await listWindows(database, { limit: 2 });
    expect(first.items.map(({ id }) => id)).toEqual(['w3', 'w2']);
    const second = await listWindows(database, { limit: 2, cursor: first.nextCursor });
    expect(second.items.map(({ id }) => id)).toEqual(['w1']);
  });

  it('that do not exist cannot be removed', async () => {
    const database = await open();
    const removal = { id: 'none', by: 'user:default/ada', reason: 'x', now: NOON };
    await expect(removeWindow(database, removal)).rejects.toMatchObject({ name: 'NotFoundError' });
  });
});
