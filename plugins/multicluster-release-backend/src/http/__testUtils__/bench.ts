import { randomBytes, randomUUID } from 'node:crypto';
import type {
  AuditorService,
  BackstageCredentials,
  LoggerService,
  UserInfoService,
} from '@backstage/backend-plugin-api';
import { mockErrorHandler, mockServices } from '@backstage/backend-test-utils';
import type { Entity } from '@backstage/catalog-model';
import type { CatalogService } from '@backstage/plugin-catalog-node';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import {
  AuthorizeResult,
  type AuthorizePermissionRequest,
} from '@backstage/plugin-permission-common';
import { systemTiming } from 'backstage-plugin-multicluster-release-node';
import express, { type Express } from 'express';
import type { Knex } from 'knex';
import { reselectFleet } from '../../commands/planning/reselectFleet';
import type { CommandContext } from '../../commands/CommandContext';
import { DefinitionReader } from '../../commands/definitions/DefinitionReader';
import type { SourceReader } from '../../commands/sources';
import type { Settings } from '../../config/settings';
import { lookUpFleet } from '../../controls';
import { Engine } from '../../engine';
import { Authorizer } from '../../permissions/Authorizer';
import { ContentCipher, createContentStore, createEngineStore } from '../../store';
import { createRouter } from '../createRouter';
import { LiveHealth } from '../LiveHealth';
import { ReleaseNews, type ReleaseChange } from '../ReleaseNews';
import { FakeFleet } from './FakeFleet';
import { FakeHands } from './FakeHands';
import { FakeMeasurer } from './FakeMeasurer';

export const SERVICE = 'component:default/checkout';

export interface AuditRecord {
  eventId: string;
  severityLevel?: string;
  meta?: unknown;
  ended?: 'success' | 'fail';
  error?: string;
}

export interface BenchOptions {
  database: Knex;
  clusters?: string[];
  settings?: Partial<Settings>;
  /** undefined: no documents at the entity's location. */
  location?: string;
  sources?: SourceReader;
  /** Whether the catalog has the service now; default yes. */
  entities?: () => boolean;
  /** undefined: everybody stands for nobody but themselves. */
  userInfo?: UserInfoService;
  /** undefined: everything is allowed. */
  decide?: (
    permission: string,
    resourceRef: string | undefined,
    credentials: BackstageCredentials,
  ) => AuthorizeResult;
}

/** The real router over a real database and engine; clusters, catalog and permissions are stand-ins. */
export interface Bench {
  app: Express;
  hands: FakeHands;
  measurer: FakeMeasurer;
  fleet: FakeFleet;
  engine: Engine;
  audit: AuditRecord[];
  logged: string[];
  changes: ReleaseChange[];
  shutdown: AbortController;
  commands: CommandContext;
  stop(): Promise<void>;
}

const SETTINGS: Settings = {
  tenancy: [],
  timeScale: 1,
  allowFileSources: false,
  leaseSeconds: 60,
  freshSeconds: 30,
  previewTimeoutSeconds: 5,
  keepReleases: 50,
};

export function createBench(options: BenchOptions): Bench {
  const { database, clusters = ['cluster-a', 'cluster-b', 'cluster-c'] } = options;
  const hands = new FakeHands();
  const measurer = new FakeMeasurer();
  const fleet = new FakeFleet(clusters);
  const news = new ReleaseNews();
  const changes: ReleaseChange[] = [];
  const shutdown = new AbortController();
  const now = () => Date.now();
  const cipher = new ContentCipher([], randomBytes);
  const tell = ({ releaseId, service, revision }: ReleaseChange) => {
    changes.push({ releaseId, service, revision });
    news.publish({ releaseId, service, revision });
  };
  const errors: unknown[] = [];
  // No test waits for minutes: who is missing has left.
  const lookUp = lookUpFleet(fleet.registry, now, 0);
  const engine = new Engine({
    store: createEngineStore(database, now, {
      fleet: lookUp,
      reselect: queued => reselectFleet({ ...commands, lookUp }, queued),
    }),
    hands,
    measurer,
    clock: systemTiming,
    holder: 'bench',
    leaseMilliseconds: 60_000,
    pollMilliseconds: 20,
    maxReleases: 10,
    timeScale: 1,
    freshMilliseconds: 30_000,
    onChange: tell,
    onError: (_releaseId, error) => errors.push(error),
  });
  const commands: CommandContext = {
    ...{ database, cipher, hands, measurer, now },
    contents: createContentStore(database, { cipher, clock: now }),
    registry: fleet.registry,
    prober: fleet.prober,
    readQuotas: async ({ cluster }) => fleet.quotas.get(cluster),
    sources: options.sources ?? noSources,
    settings: { ...SETTINGS, ...options.settings },
    newId: () => randomUUID(),
    onChange: change => {
      engine.wake(change.releaseId);
      tell(change);
    },
    onTellFailed: (_releaseId, error) => errors.push(error),
  };
  const { logger, logged } = recordingLogger();
  const { auditor, audit } = recordingAuditor();
  const router = createRouter(
    {
      commands,
      definitions: new DefinitionReader(commands),
      authorizer: new Authorizer({
        authorize: (requests, { credentials }) => authorize(options, requests, credentials),
      }),
      auth: mockServices.auth(),
      httpAuth: mockServices.httpAuth(),
      userInfo: options.userInfo ?? mockServices.userInfo(),
      catalog: catalogOf(options),
      auditor,
      logger,
      news,
      live: new LiveHealth(hands, systemTiming),
      timing: systemTiming,
      engine,
      replica: 'bench',
      shutdown: shutdown.signal,
    },
    { validateResponses: true },
  );
  const app = express().use(router).use(mockErrorHandler());
  return {
    ...{ app, hands, measurer, fleet, engine, audit, logged, changes, shutdown, commands },
    stop: async () => {
      shutdown.abort();
      await engine.stop();
      if (errors.length > 0) {
        throw errors[0];
      }
    },
  };
}

/** The catalog of now: entities come and go. */
function catalogOf({ location, entities = () => true }: BenchOptions) {
  const now = () => catalogServiceMock({ entities: entities() ? [sampleEntity(location)] : [] });
  return {
    getEntityByRef: (...args: Parameters<CatalogService['getEntityByRef']>) =>
      now().getEntityByRef(...args),
    getEntitiesByRefs: (...args: Parameters<CatalogService['getEntitiesByRefs']>) =>
      now().getEntitiesByRefs(...args),
  };
}

type Credentials = BackstageCredentials | undefined;

async function authorize(
  { decide }: BenchOptions,
  requests: AuthorizePermissionRequest[],
  credentials: Credentials,
) {
  return requests.map(({ permission, resourceRef }) => {
    const ref = Array.isArray(resourceRef) ? resourceRef[0] : resourceRef;
    const result =
      decide && credentials ? decide(permission.name, ref, credentials) : AuthorizeResult.ALLOW;
    return { result } as { result: AuthorizeResult.ALLOW };
  });
}

function sampleEntity(location: string | undefined): Entity {
  return {
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Component',
    metadata: {
      name: 'checkout',
      namespace: 'default',
      annotations: {
        'backstage.io/managed-by-location':
          'url:https://git.example.com/acme/checkout/blob/main/catalog-info.yaml',
        ...(location === undefined ? {} : { 'multicluster-release.io/location': location }),
      },
    },
    spec: { type: 'service', owner: 'group:default/shop' },
    relations: [{ type: 'ownedBy', targetRef: 'group:default/shop' }],
  };
}

const noSources: SourceReader = {
  readText: async () => {
    throw new Error('this test reads no sources');
  },
  readFiles: async () => {
    throw new Error('this test reads no sources');
  },
};

function recordingAuditor(): { auditor: AuditorService; audit: AuditRecord[] } {
  const audit: AuditRecord[] = [];
  const auditor: AuditorService = {
    async createEvent({ eventId, severityLevel, meta }) {
      const record: AuditRecord = { eventId, severityLevel, meta };
      audit.push(record);
      return {
        async success() {
          record.ended = 'success';
        },
        async fail({ error }) {
          record.ended = 'fail';
          record.error = JSON.stringify({ ...error, message: error.message });
        },
      };
    },
  };
  return { auditor, audit };
}

function recordingLogger(): { logger: LoggerService; logged: string[] } {
  const logged: string[] = [];
  const log = (message: string, meta?: unknown) =>
    logged.push(`${message} ${JSON.stringify(meta ?? {})}`);
  const logger: LoggerService = {
    error: log,
    warn: log,
    info: log,
    debug: log,
    child: () => logger,
  };
  return { logger, logged };
}
