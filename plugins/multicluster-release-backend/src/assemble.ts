import type {
  AuditorService,
  AuthService,
  DiscoveryService,
  HttpAuthService,
  LoggerService,
  PermissionsService,
  RootConfigService,
  RootInstanceMetadataService,
  UrlReaderService,
  UserInfoService,
} from '@backstage/backend-plugin-api';
import type { CatalogService } from '@backstage/plugin-catalog-node';
import type { SignalsService } from '@backstage/plugin-signals-node';
import {
  createClusterAccess,
  createHands,
  createMeasurer,
  readQuotas,
  systemTiming,
  type ClusterAccessServices,
  type MeasurerService,
} from 'backstage-plugin-multicluster-release-node';
import type { Router } from 'express';
import type { Knex } from 'knex';
import type { CommandContext, ServiceEntity } from './commands/CommandContext';
import { DefinitionReader } from './commands/definitions/DefinitionReader';
import { reselectFleet } from './commands/planning/reselectFleet';
import { catchUpJoiners } from './commands/releases/catchUpJoiners';
import { DefaultSourceReader } from './commands/sources';
import { readSettings } from './config/settings';
import { lookUpFleet } from './controls';
import { Engine } from './engine';
import { createRouter } from './http/createRouter';
import { serviceEntity } from './http/Viewer';
import { LiveHealth } from './http/LiveHealth';
import { ReleaseNews, type ReleaseChange } from './http/ReleaseNews';
import { Authorizer } from './permissions/Authorizer';
import {
  ContentCipher,
  createContentStore,
  createEngineStore,
  createListingMemory,
  readEncryptionKeys,
  removeOldRecords,
} from './store';

export interface Services {
  auditor: AuditorService;
  auth: AuthService;
  catalog: CatalogService;
  config: RootConfigService;
  database: Knex;
  discovery: DiscoveryService;
  httpAuth: HttpAuthService;
  logger: LoggerService;
  metadata: RootInstanceMetadataService;
  permissions: PermissionsService;
  signals: SignalsService;
  urlReader: UrlReaderService;
  userInfo: UserInfoService;
  newId(): string;
  randomBytes(bytes: number): Buffer;
}

export interface AssembledBackend {
  router: Router;
  start(): void;
  stop(): Promise<void>;
  removeOldRecords(): Promise<void>;
  /** Brings clusters that joined the fleet what their services' policies say. */
  catchUpJoiners(): Promise<void>;
}

/** How often to look for releases that nobody holds, and for orders that other replicas took. */
const POLL_MILLISECONDS = 1_000;
const MAX_RELEASES = 100;

/** Puts the parts together; nothing runs before start(). */
export function assemble(services: Services): AssembledBackend {
  const settings = readSettings(services.config);
  const { database, logger, newId } = services;
  const now = () => systemTiming.now();
  const cipher = new ContentCipher(readEncryptionKeys(services.config), services.randomBytes);
  const contents = createContentStore(database, { cipher, clock: now });
  const access = createClusterAccess({
    ...services,
    memory: createListingMemory(database, now),
    onRefusal: refusal => auditRefusal(services, refusal),
  });
  const hands = createHands({ clusters: access.registry, contents, timing: systemTiming });
  const lookUp = lookUpFleet(access.registry, now);
  const measurer = createMeasurer({ config: services.config });
  const news = new ReleaseNews();
  const tell = createTeller(services, news);
  const engine = new Engine({
    store: createEngineStore(database, now, {
      fleet: lookUp,
      reselect: queued => reselectFleet({ ...access, contents, settings, lookUp }, queued),
    }),
    hands,
    measurer,
    clock: systemTiming,
    holder: services.metadata.getId(),
    leaseMilliseconds: settings.leaseSeconds * 1000,
    pollMilliseconds: POLL_MILLISECONDS,
    maxReleases: MAX_RELEASES,
    timeScale: settings.timeScale,
    freshMilliseconds: settings.freshSeconds * 1000,
    onChange: tell,
    onError: (releaseId, error) =>
      logger.error(`Release ${releaseId}: ${error instanceof Error ? error.message : error}`),
  });
  const commands: CommandContext = {
    ...{ database, cipher, contents, hands, measurer, settings, now, newId },
    registry: access.registry,
    prober: access.prober,
    readQuotas: (target, signal) => readQuotas(access.registry, target, signal),
    sources: new DefaultSourceReader(services.urlReader),
    onChange: change => {
      engine.wake(change.releaseId);
      tell(change);
    },
    onTellFailed: (releaseId, error) =>
      logger.error(
        `Release ${releaseId}: its history lacks an order of the platform, which stands: ${
          error instanceof Error ? error.message : error
        }`,
      ),
  };
  const live = new LiveHealth(hands, systemTiming);
  return finish(services, { commands, access, engine, news, live, measurer });
}

interface Parts {
  commands: CommandContext;
  access: ClusterAccessServices;
  engine: Engine;
  news: ReleaseNews;
  live: LiveHealth;
  measurer: MeasurerService;
}

function finish(
  services: Services,
  { commands, access, engine, news, live, measurer }: Parts,
): AssembledBackend {
  const shutdown = new AbortController();
  const router = createRouter({
    ...services,
    commands,
    definitions: new DefinitionReader(commands),
    authorizer: new Authorizer(services.permissions),
    news,
    live,
    timing: systemTiming,
    engine,
    replica: services.metadata.getId(),
    shutdown: shutdown.signal,
  });
  return {
    router,
    start: () => {
      void access.start().finally(() => shutdown.signal.aborted || engine.start());
    },
    // Leases go first, so that another replica goes on at once; open streams would hold the process for a minute.
    stop: async () => {
      const free = engine.stop();
      shutdown.abort();
      live.close();
      await free;
      await measurer.close();
      await access.close();
    },
    removeOldRecords: async () => {
      await removeOldRecords(commands.database, {
        now: commands.now(),
        keepReleases: commands.settings.keepReleases,
      });
    },
    catchUpJoiners: async () => {
      try {
        await catchUpJoiners(commands, service => findEntity(services, service));
      } catch (error) {
        // Nothing is planned on a list of clusters that is not to be trusted (C07); the next round asks again.
        services.logger.warn(
          `Joining clusters wait: ${error instanceof Error ? error.message : error}`,
        );
      }
    },
  };
}

/** With our own credentials: what a viewer may not see is not gone. */
async function findEntity(
  { auth, catalog }: Services,
  service: string,
): Promise<ServiceEntity | undefined> {
  const credentials = await auth.getOwnServiceCredentials();
  const entity = await catalog.getEntityByRef(service, { credentials });
  return entity && serviceEntity(entity);
}

/** Signals reach every signed-in user unchecked: nothing but the id and the revision travels in them. */
function createTeller(
  { signals, logger }: Services,
  news: ReleaseNews,
): (change: ReleaseChange) => void {
  return ({ releaseId, service, revision }) => {
    news.publish({ releaseId, service, revision });
    signals
      .publish({
        recipients: { type: 'broadcast' },
        channel: `releases:${service}`,
        message: { releaseId, revision },
      })
      .catch(error =>
        logger.warn(
          `Release ${releaseId}: no signal was sent (${error.message}); pages find the change by polling`,
        ),
      );
  };
}

/** A configuration that is not followed is in the audit log (field case C15). */
function auditRefusal(
  { auditor, logger }: Services,
  { cluster, why }: { cluster: string; why: string },
): void {
  auditor
    .createEvent({
      eventId: 'cluster-configuration-refused',
      severityLevel: 'medium',
      meta: { cluster },
    })
    .then(event => event.fail({ error: new Error(why) }))
    .catch(error =>
      logger.error(`${cluster}: its refusal could not be audited (${error.message})`),
    );
}
