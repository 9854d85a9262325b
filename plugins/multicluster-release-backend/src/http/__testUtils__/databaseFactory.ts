import { coreServices, createServiceFactory } from '@backstage/backend-plugin-api';
import type { Knex } from 'knex';

/**
 * Gives every plugin this database. The test backend's own one is never closed
 * and keeps the process alive.
 */
export function databaseFactory(database: Knex) {
  return createServiceFactory({
    service: coreServices.database,
    deps: {},
    factory: () => ({ getClient: async () => database }),
  });
}
