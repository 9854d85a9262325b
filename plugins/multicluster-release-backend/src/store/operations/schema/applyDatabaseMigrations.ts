import { resolvePackagePath } from '@backstage/backend-plugin-api';
import type { Knex } from 'knex';
import { migrateAlone } from '../../dialect';

const ATTEMPTS = 5;

const migrationsDirectory = resolvePackagePath(
  'backstage-plugin-multicluster-release-backend',
  'migrations',
);

/**
 * Brings the schema up to date. Several backends may start on one empty
 * database at once; what can still collide there (knex making its own tables,
 * another version of this plugin without the lock) is tried again.
 * @throws the database's last error after five tries.
 */
export async function applyDatabaseMigrations(database: Knex): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await migrateAlone(database, migrationsDirectory);
      return;
    } catch (error) {
      if (attempt === ATTEMPTS) {
        throw error;
      }
    }
  }
}
