import { knex as knexFactory } from 'knex';
import {
  describeOnEachDatabase,
  emptyDatabase,
  POSTGRES,
  requirePostgres,
} from '../../__testUtils__/eachDatabase';
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
    await database.migrate.rollback(
      { directory: `${__dirname}/../../../../migrations` },
      true,
    );
    expect(await database.schema.hasTable('releases')).toBe(false);
    await applyDatabaseMigrations(database);
    expect(await database('releases')).toEqual([]);
  });
});

describe('applyDatabaseMigrations by several fresh backends', () => {
  it.each([1, 2, 3, 4, 5])('survives the race, round %i', async () => {
    requirePostgres();
    const first = await emptyDatabase(POSTGRES);
    const others = [1, 2].map(() => knexFactory(first.client.config));
    try {
      const all = [first, ...others];
      await Promise.all(all.map(database => applyDatabaseMigrations(database)));
      for (const database of all) {
        expect(await database('releases')).toEqual([]);
      }
    } finally {
      await Promise.all(others.map(database => database.destroy()));
    }
  });
});
