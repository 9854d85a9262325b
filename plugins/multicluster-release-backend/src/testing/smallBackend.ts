import { randomBytes, randomUUID } from 'node:crypto';
import type { LoggerService } from '@backstage/backend-plugin-api';
import { ConfigReader, type Config } from '@backstage/config';
import type { JsonObject } from '@backstage/types';
import {
  isFinalRelease,
  type ActionName,
  type ActionRequest,
  type EventView,
  type PreviewView,
} from 'backstage-plugin-multicluster-release-common';
import {
  createClusterAccess,
  createHands,
  createMeasurer,
  readQuotas,
  systemTiming,
  type ClusterRegistry,
  type Hands,
  type Timing,
} from 'backstage-plugin-multicluster-release-node';
import createKnex, { type Knex } from 'knex';
import { reselectFleet } from '../commands/planning/reselectFleet';
import type { CommandContext } from '../commands/CommandContext';
import { gatherRelease } from '../commands/documents/gatherDocuments';
import { readDocuments } from '../commands/documents/readDocuments';
import { actOnRelease } from '../commands/actions/actOnRelease';
import type { CompileRequest } from '../commands/planning/compileRelease';
import { planRelease } from '../commands/releases/planRelease';
import { startRelease, type StartRequest } from '../commands/releases/startRelease';
import type { SourceReader } from '../commands/sources';
import { readSettings } from '../config/settings';
import type { ReleaseRun } from '../decide';
import { lookUpFleet } from '../controls';
import { Engine, type EngineStore } from '../engine';
import {
  applyDatabaseMigrations,
  ContentCipher,
  createContentStore,
  createEngineStore,
  listEvents,
  loadRun,
} from '../store';
import { clusterEntries } from './clusterEntries';

export const SERVICE = 'component:default/checkout';

export interface SmallBackendOptions {
  /** SQLite file, `:memory:` for one that nobody shares; or the URL of a PostgreSQL database. */
  database: string;
  /** Of realClusters. */
  kubeconfig: string;
  /** Labels, regions and groups by cluster, as in `multiclusterRelease.clusters`. */
  clusters?: Record<string, JsonObject>;
  /** Kubeconfig whose contexts are the fleet, read at each listing; undefined: all of `kubeconfig`. */
  fleet?: string;
  /** As `multiclusterRelease.metrics`. */
  metrics?: JsonObject;
  leaseMilliseconds?: number;
  /** undefined: the clock of this machine. */
  timing?: Timing;
  wrapRegistry?: (registry: ClusterRegistry) => ClusterRegistry;
  wrapStore?: (store: EngineStore) => EngineStore;
}

/** Somebody who gives orders. */
export interface Person {
  /** User entity ref. */
  ref: string;
  /** Entity refs of their groups. */
  groups?: string[];
}

export interface StartOptions extends Pick<StartRequest, 'planHash' | 'reason'> {
  by?: Person;
  /** Entity ref; undefined: SERVICE. */
  service?: string;
}

export interface SmallBackend {
  database: Knex;
  engine: Engine;
  hands: Hands;
  /** For the orders of the platform's people. */
  commands: CommandContext;
  /** Lists the clusters again now, and not only when it is time. */
  listClusters(): Promise<void>;
  /** Starts the release of these documents and answers its id. */
  release(documents: string, start?: StartOptions): Promise<string>;
  /** A person's order; answers the release to look at next. */
  act(id: string, action: ActionName, request?: ActionRequest, by?: Person): Promise<string>;
  preview(documents: string): Promise<PreviewView>;
  run(id: string): Promise<ReleaseRun>;
  /** Everything that the release's history tells, oldest first. */
  events(id: string): Promise<EventView[]>;
  /** Resolves with the first run that looks so. */
  until(id: string, holds: (run: ReleaseRun) => boolean): Promise<ReleaseRun>;
  /** Resolves with the run once no work is left of it. */
  ended(id: string): Promise<ReleaseRun>;
  close(): Promise<void>;
}

const PATIENCE_MILLISECONDS = 120_000;
/** How often to look for what another backend did; of its own the engine tells. */
const LOOK_MILLISECONDS = 250;
const MOST_EVENTS = 10_000;

const SILENT: LoggerService = {
  error: () => {},
  warn: () => {},
  info: () => {},
  debug: () => {},
  child: () => SILENT,
};

/** Documents bring their manifests inline. */
const NO_SOURCES: SourceReader = {
  readText: async ({ target }) =>
    Promise.reject(new Error(`${target}: is not read here; give manifests inline`)),
  readFiles: async ({ target }) =>
    Promise.reject(new Error(`${target}: is not read here; give manifests inline`)),
};

/**
 * Commands, engine, store and hands on a real database and real clusters, without
 * Backstage around them: starts in a moment, and can be killed at any point.
 */
export async function smallBackend(options: SmallBackendOptions): Promise<SmallBackend> {
  const database = openDatabase(options.database);
  await applyDatabaseMigrations(database);
  const config = await readConfig(options);
  const { timing = systemTiming } = options;
  const access = createClusterAccess({ config, logger: SILENT, timing });
  await access.start();
  const cipher = new ContentCipher([], randomBytes);
  const now = () => timing.now();
  const contents = createContentStore(database, { cipher, clock: now });
  const clusters = options.wrapRegistry?.(access.registry) ?? access.registry;
  const hands = createHands({ clusters, contents, timing });
  const measurer = createMeasurer({ config, timing });
  const listeners = new Set<(run: ReleaseRun) => void>();
  const lookUp = lookUpFleet(access.registry, now);
  const store = createEngineStore(database, now, {
    fleet: lookUp,
    reselect: queued => reselectFleet({ ...commands, lookUp }, queued),
  });
  const engine = new Engine({
    store: options.wrapStore?.(store) ?? store,
    hands,
    measurer,
    clock: timing,
    holder: randomUUID(),
    leaseMilliseconds: options.leaseMilliseconds ?? 30_000,
    pollMilliseconds: 200,
    maxReleases: 20,
    timeScale: 1,
    freshMilliseconds: 30_000,
    onChange: ({ run }) => listeners.forEach(listener => listener(run)),
    onError: () => {},
  });
  const commands: CommandContext = {
    ...{ database, cipher, contents, hands, measurer, now },
    newId: randomUUID,
    settings: readSettings(config),
    registry: access.registry,
    prober: access.prober,
    readQuotas: (target, signal) => readQuotas(access.registry, target, signal),
    sources: NO_SOURCES,
    onChange: ({ releaseId }) => engine.wake(releaseId),
    onTellFailed: () => {},
  };
  const load = (id: string) => readRun(database, id);
  return {
    database,
    engine,
    hands,
    commands,
    listClusters: () => access.registry.refresh(),
    release: (documents, how) => start(commands, documents, how),
    preview: async documents => planRelease(commands, await compileRequest(commands, documents)),
    act: (id, action, request, by) => order(commands, { id, action, request, by }),
    run: load,
    events: releaseId => listEvents(database, { releaseId, limit: MOST_EVENTS }),
    until: (id, holds) => untilRun(id, holds, load, listeners),
    ended: id => untilRun(id, run => isFinalRelease(run.state) && !run.needsWork, load, listeners),
    close: async () => {
      await engine.stop();
      await measurer.close();
      await access.close();
      await database.destroy();
    },
  };
}

/** Whoever starts releases where a test does not say. */
export const ANN: Person = { ref: 'user:default/ann' };

async function readConfig({
  kubeconfig,
  clusters = {},
  fleet,
  metrics = {},
}: SmallBackendOptions): Promise<Config> {
  if (fleet !== undefined) {
    return new ConfigReader({
      multiclusterRelease: { metrics, clusters, kubeconfig: { path: fleet } },
    });
  }
  const entries = await clusterEntries(kubeconfig);
  const described = Object.entries(entries).map(([name, entry]) => [
    name,
    { ...clusters[name], ...entry },
  ]);
  return new ConfigReader({
    multiclusterRelease: { metrics, clusters: Object.fromEntries(described) },
  });
}

function openDatabase(database: string): Knex {
  return database.startsWith('postgresql://')
    ? createKnex({ client: 'pg', connection: database })
    : createKnex({
        client: 'better-sqlite3',
        connection: { filename: database },
        useNullAsDefault: true,
      });
}

async function start(
  commands: CommandContext,
  documents: string,
  { by = ANN, service, planHash, reason }: StartOptions = {},
): Promise<string> {
  const { id } = await startRelease(commands, {
    ...(await compileRequest(commands, documents, service)),
    actor: { ref: by.ref },
    planHash,
    reason,
  });
  return id;
}

interface OrderToGive {
  id: string;
  action: ActionName;
  request?: ActionRequest;
  by?: Person;
}

async function order(
  commands: CommandContext,
  { id: releaseId, action, request = {}, by = ANN }: OrderToGive,
): Promise<string> {
  const { ref, groups = [] } = by;
  const { id } = await actOnRelease(commands, {
    ...{ releaseId, action, request },
    actor: { ref },
    approver: { ref, memberOf: [ref, ...groups] },
  });
  return id;
}

async function compileRequest(
  commands: CommandContext,
  documents: string,
  service = SERVICE,
): Promise<CompileRequest> {
  const entity = { ref: service };
  const gathered = await gatherRelease(commands, { entity, sent: readDocuments(documents) });
  return { entity, gathered, clusterScopedAllowed: async () => true };
}

async function readRun(database: Knex, id: string): Promise<ReleaseRun> {
  const loaded = await database.transaction(tx => loadRun(tx, id));
  if (!loaded) {
    throw new Error(`There is no release ${id}`);
  }
  return loaded.run;
}

/** Says what the release looked like where it did not get there in time. */
async function untilRun(
  id: string,
  holds: (run: ReleaseRun) => boolean,
  load: (id: string) => Promise<ReleaseRun>,
  listeners: Set<(run: ReleaseRun) => void>,
): Promise<ReleaseRun> {
  return new Promise<ReleaseRun>((resolve, reject) => {
    const timer = setTimeout(async () => {
      finish();
      reject(new Error(`Release ${id} did not get there: ${describe(await load(id))}`));
    }, PATIENCE_MILLISECONDS);
    const listener = (run: ReleaseRun) => {
      if (run.id === id && holds(run)) {
        finish();
        resolve(run);
      }
    };
    const look = () => load(id).then(listener, fail);
    const looks = setInterval(look, LOOK_MILLISECONDS);
    function fail(error: Error) {
      finish();
      reject(error);
    }
    function finish() {
      clearTimeout(timer);
      clearInterval(looks);
      listeners.delete(listener);
    }
    listeners.add(listener);
    void look();
  });
}

function describe({ state, stage, waiting, targets }: ReleaseRun): string {
  const seen = targets.map(target => {
    const { cluster, position, message, unreachableSince, retryAt, retries, health } = target;
    return {
      cluster,
      state: target.state,
      position,
      message,
      unreachableSince,
      retryAt,
      retries,
      health,
    };
  });
  return JSON.stringify({ state, stage, waiting, targets: seen, now: Date.now() });
}
