import type { Knex } from 'knex';
import { describeOnEachDatabase } from '../__testUtils__/eachDatabase';
import { NOON, sampleEvent, sampleRelease, SERVICE, withTarget } from '../__testUtils__/samples';
import type { Page } from '../types';
import { listLatestEvents } from './events/listLatestEvents';
import { listHolds } from './holds/listHolds';
import { placeHold } from './holds/placeHold';
import { changeRun } from './releases/changeRun';
import { createRelease } from './releases/createRelease';
import { listReleases } from './releases/listReleases';
import { listServices } from './releases/listServices';
import { listTargets } from './releases/listTargets';
import { listRunning } from './running/listRunning';

const OTHER = 'component:default/other';

/** Follows the cursors to the end, counting pages. */
async function allPages<T>(next: (cursor?: string) => Promise<Page<T>>): Promise<T[][]> {
  const pages: T[][] = [];
  let cursor: string | undefined;
  do {
    const page = await next(cursor);
    pages.push(page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return pages;
}

/** Five releases; two of them in the same millisecond. */
async function fillReleases(database: Knex): Promise<void> {
  const made = [
    { id: 'r1', now: NOON, clusters: ['cluster-a'] },
    { id: 'r2', now: NOON + 1, clusters: ['cluster-b'] },
    { id: 'r3', now: NOON + 1, clusters: ['cluster-a', 'cluster-b'] },
    { id: 'r4', now: NOON + 2, service: OTHER, clusters: ['cluster-b'] },
    { id: 'r5', now: NOON + 3, clusters: ['cluster-c'] },
  ];
  for (const options of made) {
    await createRelease(database, sampleRelease(options));
  }
  await database('releases').where('id', 'r1').update({ state: 'Succeeded' });
}

describeOnEachDatabase('lists', open => {
  it.each([
    ['all', {}, ['r5', 'r4', 'r3', 'r2', 'r1']],
    ['of a service', { services: [SERVICE] }, ['r5', 'r3', 'r2', 'r1']],
    ['of no service', { services: [] }, []],
    ['in a state', { states: ['Succeeded' as const] }, ['r1']],
    ['on a cluster', { cluster: 'cluster-b' }, ['r4', 'r3', 'r2']],
    [
      'by everything',
      {
        services: [SERVICE],
        states: ['Pending' as const],
        cluster: 'cluster-a',
      },
      ['r3'],
    ],
  ])('lists releases %s, newest first', async (_name, query, ids) => {
    const database = await open();
    await fillReleases(database);
    const pages = await allPages(cursor => listReleases(database, { ...query, limit: 2, cursor }));
    expect(pages.flat().map(release => release.id)).toEqual(ids);
    expect(pages.length).toBe(Math.max(1, Math.ceil(ids.length / 2)));
  });

  it('lists services by name', async () => {
    const database = await open();
    await fillReleases(database);
    const pages = await allPages(cursor => listServices(database, { limit: 1, cursor }));
    expect(pages).toEqual([[SERVICE], [OTHER]]);
  });

  it.each([
    ['all in the order of the plan', {}, ['b', 'a', 'prod-c']],
    ['of a group', { group: 'gray' }, ['a', 'prod-c']],
    ['in a state', { states: ['Done' as const] }, ['prod-c']],
    ['by part of the name', { search: 'PROD-' }, ['prod-c']],
    ['by part of the namespace', { search: 'uction' }, ['b', 'a', 'prod-c']],
    ['by a wildcard, which is none', { search: '%' }, []],
  ])('lists targets: %s', async (_name, query, clusters) => {
    const database = await open();
    await createRelease(database, sampleRelease({ id: 'r1', clusters: ['b', 'a', 'prod-c'] }));
    const change = ({ run }: { run: Parameters<typeof withTarget>[0] }) => ({
      run: withTarget(withTarget(run, 'a', { group: 'gray' }), 'prod-c', {
        group: 'gray',
        state: 'Done',
        touched: true,
        sequence: 1,
      }),
      events: [],
    });
    await changeRun(database, 'r1', change, { now: NOON });
    const pages = await allPages(cursor =>
      listTargets(database, 'r1', { ...query, limit: 2, cursor }),
    );
    expect(pages.flat().map(target => target.cluster)).toEqual(clusters);
  });

  it('lists what runs by service and cluster', async () => {
    const database = await open();
    for (const [id, service] of [
      ['r1', SERVICE],
      ['r2', OTHER],
    ]) {
      await createRelease(database, sampleRelease({ id, service, clusters: ['a', 'b'] }));
      const finish = ({ run }: { run: Parameters<typeof withTarget>[0] }) => ({
        run: {
          ...run,
          targets: run.targets.map(target => ({
            ...target,
            touched: true,
            sequence: 1,
          })),
        },
        events: [],
      });
      await changeRun(database, id, finish, { now: NOON });
    }
    const places = async (query: { services?: string[]; clusters?: string[] }) => {
      const pages = await allPages(cursor => listRunning(database, { ...query, limit: 1, cursor }));
      return pages.flat().map(row => `${row.service} ${row.cluster}`);
    };
    expect(await places({})).toEqual([`${SERVICE} a`, `${SERVICE} b`, `${OTHER} a`, `${OTHER} b`]);
    expect(await places({ clusters: ['b'] })).toEqual([`${SERVICE} b`, `${OTHER} b`]);
    expect(await places({ services: [OTHER], clusters: ['a'] })).toEqual([`${OTHER} a`]);
  });

  it('lists events of services, newest first', async () => {
    const database = await open();
    await createRelease(database, sampleRelease({ id: 'r1' }));
    await createRelease(database, sampleRelease({ id: 'r2', service: OTHER }));
    const events = ['One', 'Two', 'Three'].map(code => sampleEvent(code));
    const tell = ({ run }: { run: Parameters<typeof withTarget>[0] }) => ({
      run,
      events,
    });
    await changeRun(database, 'r1', tell, { now: NOON });
    const pages = await allPages(cursor =>
      listLatestEvents(database, { services: [SERVICE], limit: 3, cursor }),
    );
    const codes = pages.map(page => page.map(event => event.code));
    expect(codes).toEqual([['Three', 'Two', 'One'], ['ReleaseCreated']]);
    expect((await listLatestEvents(database, { releaseId: 'r2' })).items).toHaveLength(1);
    expect((await listLatestEvents(database, {})).items).toHaveLength(5);
  });

  it('lists holds, newest first', async () => {
    const database = await open();
    const versions = ['1.0.0', '2.0.0', '3.0.0'];
    for (const [index, version] of versions.entries()) {
      const hold = {
        service: SERVICE,
        version,
        reason: 'x',
        releaseId: 'r1',
        now: NOON + index,
      };
      await database.transaction(tx => placeHold(tx, hold));
    }
    const pages = await allPages(cursor => listHolds(database, { limit: 2, cursor }));
    expect(pages.flat().map(hold => hold.version)).toEqual(['3.0.0', '2.0.0', '1.0.0']);
    expect(
      (await listHolds(database, { version: '2.0.0', services: [SERVICE] })).items,
    ).toHaveLength(1);
    expect((await listHolds(database, { services: [OTHER] })).items).toEqual([]);
  });

  it.each([
    ['a limit of 0', { limit: 0 }, 'limit is 0'],
    ['a limit above 500', { limit: 501 }, 'limit is 501'],
    ['half a row', { limit: 1.5 }, 'limit is 1.5'],
    ['text that is no cursor', { cursor: 'x' }, 'cursor was not given by this list'],
    [
      'the cursor of another list',
      { cursor: Buffer.from('["a"]').toString('base64url') },
      'cursor was not',
    ],
  ])('refuses %s', async (_name, query, message) => {
    const database = await open();
    await expect(listReleases(database, query)).rejects.toMatchObject({
      name: 'InputError',
      message: expect.stringContaining(message),
    });
  });
});
