import { TestDatabases } from '@backstage/backend-test-utils';
import type { TestDatabaseId } from '@backstage/backend-test-utils';
import type { Knex } from 'knex';
import { applyDatabaseMigrations } from '../operations/schema/applyDatabaseMigrations';
import { TABLES } from './tables';

// A new database takes PostgreSQL seconds where the machine is busy.
jest.setTimeout(60_000);

export const POSTGRES: TestDatabaseId = 'POSTGRES_15';

const databases = TestDatabases.create({ ids: ['SQLITE_3', POSTGRES] });

/** An empty database, before any migration. */
export function emptyDatabase(id: TestDatabaseId): Promise<Knex> {
  return databases.init(id);
}

/** A database of its own with our tables. */
export async function migratedDatabase(id: TestDatabaseId): Promise<Knex> {
  const database = await databases.init(id);
  await applyDatabaseMigrations(database);
  return database;
}

/** Fails where PostgreSQL is missing, so that its half of a suite cannot drop out unseen. */
export function requirePostgres(): void {
  if (!databases.supports(POSTGRES)) {
    throw new Error('PostgreSQL is missing; run the tests with `npm run test:database`');
  }
}

async function emptyTables(database: Knex): Promise<void> {
  if (database.client.config.client === 'pg') {
    await database.raw(`truncate ${TABLES.join(', ')} restart identity`);
    return;
  }
  for (const table of [...TABLES, 'sqlite_sequence']) {
    await database(table).delete();
  }
}

/**
 * Describes the same behaviour on SQLite and on PostgreSQL. `open` gives the
 * suite's database with all its tables empty.
 */
export function describeOnEachDatabase(
  name: string,
  body: (open: () => Promise<Knex>, id: TestDatabaseId) => void,
): void {
  describe.each<TestDatabaseId>(['SQLITE_3', POSTGRES])(`${name}, %s`, id => {
    let opened: Promise<Knex> | undefined;
    beforeAll(() => {
      if (id === POSTGRES) {
        requirePostgres();
      }
    });
    body(async () => {
      opened ??= migratedDatabase(id);
      const database = await opened;
      await emptyTables(database);
      return database;
    }, id);
  });
}
