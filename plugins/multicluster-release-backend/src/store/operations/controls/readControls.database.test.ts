import type { Knex } from 'knex';
import { countStatements } from '../../__testUtils__/countStatements';
import { describeOnEachDatabase } from '../../__testUtils__/eachDatabase';
import { NOON, SERVICE } from '../../__testUtils__/samples';
import { liftCordon } from '../cordons/liftCordon';
import { placeCordon } from '../cordons/placeCordon';
import { liftStop } from '../stops/liftStop';
import { placeStop } from '../stops/placeStop';
import { addWindow } from '../windows/addWindow';
import { removeWindow } from '../windows/removeWindow';
import { readControls } from './readControls';

const OTHER = 'component:default/config';
const by = 'user:default/ada';
const reason = 'because of it';
const end = { by, reason, now: NOON + 9 };

const query = {
  service: SERVICE,
  clusters: [
    { name: 'cluster-a', region: 'cn-east-1', groups: ['payments'] },
    { name: 'cluster-b', groups: [] },
  ],
  dependsOn: [],
  left: ['cluster-x'],
};

const NOTHING = { stops: [], cordons: {}, windows: [], left: ['cluster-x'], dependencies: [] };

function office(name: string) {
  return {
    name,
    cron: '0 9 * * 1-5',
    durationMilliseconds: 3_600_000,
    timeZone: 'UTC',
    kind: 'allow' as const,
  };
}

async function runs(database: Knex, service: string, cluster: string, version?: string) {
  const release = { release_id: 'r1', namespace: 'production', inventory: '[]' };
  await database('running').insert({ ...release, service, cluster, version: version ?? null });
}

describeOnEachDatabase('readControls', open => {
  it('costs one statement where nothing is ordered, or is no longer', async () => {
    const database = await open();
    const read = () => database.transaction(tx => readControls(tx, query));
    expect(await countStatements(database, read)).toHaveLength(1);
    const scope = { all: true as const };
    await placeStop(database, { id: 's1', scope, reason, allowRollback: false, by, now: NOON });
    await addWindow(database, { id: 'w1', spec: office('office'), reason, by, now: NOON });
    await placeCordon(database, { id: 'c1', cluster: 'cluster-a', reason, by, now: NOON });
    expect(await countStatements(database, read)).toHaveLength(4);
    await liftStop(database, { id: 's1', ...end });
    await removeWindow(database, { id: 'w1', ...end });
    await liftCordon(database, { cluster: 'cluster-a', ...end });
    expect(await countStatements(database, read)).toHaveLength(1);
    expect(await read()).toEqual(NOTHING);
  });

  it('gives each stop the clusters of the release that it reaches, and leaves out the others', async () => {
    const database = await open();
    const scopes = [
      { clusters: ['cluster-b', 'cluster-z'] },
      { groups: ['payments'] },
      { services: [SERVICE] },
      { services: [OTHER] },
      { regions: ['eu-west-1'] },
    ];
    for (const [index, scope] of scopes.entries()) {
      const stop = { id: `s${index}`, scope, reason, allowRollback: index === 1, by };
      await placeStop(database, { ...stop, now: NOON + index });
    }
    const { stops } = await readControls(database, query);
    expect(stops).toEqual([
      { id: 's0', by, reason, since: NOON, allowRollback: false, clusters: ['cluster-b'] },
      { id: 's1', by, reason, since: NOON + 1, allowRollback: true, clusters: ['cluster-a'] },
      {
        id: 's2',
        by,
        reason,
        since: NOON + 2,
        allowRollback: false,
        clusters: ['cluster-a', 'cluster-b'],
      },
    ]);
  });

  it('gives cordons of its clusters and windows of its service', async () => {
    const database = await open();
    await placeCordon(database, { id: 'c1', cluster: 'cluster-b', reason, by, now: NOON });
    await placeCordon(database, { id: 'c2', cluster: 'cluster-z', reason, by, now: NOON });
    const windows = [undefined, [SERVICE], [OTHER]].map((services, index) => ({
      id: `w${index}`,
      spec: office(`window ${index}`),
      services,
    }));
    for (const [index, window] of windows.entries()) {
      await addWindow(database, { ...window, reason, by, now: NOON + index });
    }
    expect(await readControls(database, query)).toEqual({
      ...NOTHING,
      cordons: { 'cluster-b': { by, reason, since: NOON } },
      windows: [office('window 0'), office('window 1')],
    });
  });

  it('gives what the services it depends on run, proven or not yet, with one statement more', async () => {
    const database = await open();
    await runs(database, OTHER, 'cluster-b');
    await runs(database, OTHER, 'cluster-a', '1.4.0');
    await runs(database, SERVICE, 'cluster-a', '2.0.0');
    const read = () => readControls(database, { ...query, dependsOn: [OTHER] });
    expect(await countStatements(database, read)).toHaveLength(2);
    expect((await read()).dependencies).toEqual([
      { service: OTHER, cluster: 'cluster-a', namespace: 'production', version: '1.4.0' },
      { service: OTHER, cluster: 'cluster-b', namespace: 'production', version: undefined },
    ]);
  });
});
