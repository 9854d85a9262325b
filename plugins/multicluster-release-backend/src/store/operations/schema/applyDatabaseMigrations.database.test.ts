import { lockMigrations } from '../../dialect';
import {
  describeOnEachDatabase,
  emptyDatabase,
  POSTGRES,
  requirePostgres,
} from '../../__testUtils__/eachDatabase';
import { waitUntilBlocked, withOtherBackend } from '../../__testUtils__/otherBackend';
import { applyDatabaseMigrations } from './applyDatabaseMigrations';

describeOnEachDatabase('applyDatabaseMigrations', (_open, id) => {
  it('makes the tables once, and does nothing the second time', async () => {
    const database = await emptyDatabase(id);
    await applyDatabaseMigrations(database);
    await database('services').insert({
      service: 'component:default/a',
      created_at: 1,
    });
    await applyDatabaseMigrations(database);
    expect(await database('services')).toHaveLength(1);
  });

  it('can be taken back, table by table', async () => {
    const database = await emptyDatabase(id);
    await applyDatabaseMigrations(database);
    await database.migrate.rollback({ directory: `${__dirname}/../../../../migrations` }, true);
    expect(await database.schema.hasTable('releases')).toBe(false);
    await applyDatabaseMigrations(database);
    expect(await database('releases')).toEqual([]);
  });
});

describe('applyDatabaseMigrations by several fresh backends', () => {
  it.each([1, 2, 3])('survives the race, round %i', async () => {
    requirePostgres();
    const first = await emptyDatabase(POSTGRES);
    await withOtherBackend(first, second =>
      withOtherBackend(first, async third => {
        const all = [first, second, third];
        await Promise.all(all.map(database => database.raw('select 1')));
        await Promise.all(all.map(database => applyDatabaseMigrations(database)));
        for (const database of all) {
          expect(await database('releases')).toEqual([]);
        }
      }),
    );
  });

  it('waits for one that is at it, and takes over when that one is killed', async () => {
    requirePostgres();
    const database = await emptyDatabase(POSTGRES);
    await withOtherBackend(database, async other => {
      const killed = new Error('killed');
      let migrating: Promise<void> = Promise.resolve();
      const first = database.transaction(async tx => {
        await lockMigrations(tx);
        await tx.schema.createTable('releases', table => table.increments());
        migrating = applyDatabaseMigrations(other);
        await waitUntilBlocked(tx);
        throw killed;
      });
      await expect(first).rejects.toBe(killed);
      await migrating;
    });
    expect(await database.schema.hasColumn('releases', 'lease_ticket')).toBe(true);
  });
});
