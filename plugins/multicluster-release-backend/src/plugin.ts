import { randomBytes, randomUUID } from 'node:crypto';
import { coreServices, createBackendPlugin } from '@backstage/backend-plugin-api';
import { catalogServiceRef } from '@backstage/plugin-catalog-node';
import { signalsServiceRef } from '@backstage/plugin-signals-node';
import { multiclusterReleasePermissions } from 'backstage-plugin-multicluster-release-common';
import { assemble } from './assemble';
import { applyDatabaseMigrations } from './store';

/**
 * Multicluster Release: HTTP API, engine and record.
 *
 * @public
 */
export const multiclusterReleasePlugin = createBackendPlugin({
  pluginId: 'multicluster-release',
  register(env) {
    env.registerInit({
      deps: {
        auditor: coreServices.auditor,
        auth: coreServices.auth,
        catalog: catalogServiceRef,
        config: coreServices.rootConfig,
        database: coreServices.database,
        discovery: coreServices.discovery,
        httpAuth: coreServices.httpAuth,
        httpRouter: coreServices.httpRouter,
        lifecycle: coreServices.lifecycle,
        logger: coreServices.logger,
        metadata: coreServices.rootInstanceMetadata,
        permissions: coreServices.permissions,
        permissionsRegistry: coreServices.permissionsRegistry,
        scheduler: coreServices.scheduler,
        signals: signalsServiceRef,
        urlReader: coreServices.urlReader,
        userInfo: coreServices.userInfo,
      },
      async init({ database: databaseService, ...services }) {
        const database = await databaseService.getClient();
        if (!databaseService.migrations?.skip) {
          await applyDatabaseMigrations(database);
        }
        services.permissionsRegistry.addPermissions(multiclusterReleasePermissions);
        const backend = assemble({ ...services, database, newId: randomUUID, randomBytes });
        services.httpRouter.use(backend.router);
        services.lifecycle.addStartupHook(backend.start);
        services.lifecycle.addShutdownHook(backend.stop);
        await services.scheduler.scheduleTask({
          id: 'multicluster-release-retention',
          frequency: { hours: 1 },
          timeout: { minutes: 10 },
          initialDelay: { minutes: 1 },
          fn: backend.removeOldRecords,
        });
        await services.scheduler.scheduleTask({
          id: 'multicluster-release-joiners',
          frequency: { minutes: 1 },
          timeout: { minutes: 5 },
          initialDelay: { minutes: 1 },
          fn: backend.catchUpJoiners,
        });
      },
    });
  },
});
