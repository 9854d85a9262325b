import { randomBytes, randomUUID } from 'node:crypto';
import type { LoggerService } from '@backstage/backend-plugin-api';
import { ConfigReader } from '@backstage/config';
import {
  isFinalRelease,
  type ActionName,
  type ActionRequest,
  type PreviewView,
} from 'backstage-plugin-multicluster-release-common';
import {
  createClusterAccess,
  createHands,
  readQuotas,
  systemTiming,
  type ClusterRegistry,
} from 'backstage-plugin-multicluster-release-node';
import createKnex, { type Knex } from 'knex';
import type { CommandContext } from '../commands/CommandContext';
import { gatherRelease } from '../commands/documents/gatherDocuments';
import { readDocuments } from '../commands/documents/readDocuments';
import { actOnRelease } from '../commands/actions/actOnRelease';
import type { CompileRequest } from '../commands/planning/compileRelease';
import { planRelease } from '../commands/releases/planRelease';
import { startRelease } from '../commands/releases/startRelease';
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
  loadRun,
} from '../store';

export const SERVICE = 'component:default/checkout';

export interface SmallBackendOptions {
  /** SQLite file; `:memory:` for one that nobody shares. */
  database: string;
  kubeconfig: string;
  leaseMilliseconds?: number;
  wrapRegistry?: (registry: ClusterRegistry) => ClusterRegistry;
  wrapStore?: (store: EngineStore) => EngineStore;
}

export interface SmallBackend {
  database: Knex;
  engine: Engine;
  /** Starts the release of these documents and answers its id. */
  release(documents: string): Promise<string>;
  /** A person's order; answers the release to look at next. */
  act(id: string, action: ActionName, request?: ActionRequest): Promise<string>;
  preview(documents: string): Promise<PreviewView>;
  run(id: string): Promise<ReleaseRun>;
  /** Resolves with the first run that looks so. */
  until(id: string, holds: (run: ReleaseRun) => boolean): Promise<ReleaseRun>;
  /** Resolves with the run once no work is left of it. */
  ended(id: string): Promise<ReleaseRun>;
  close(): Promise<void>;
}

const PATIENCE_MILLISECONDS = 120_000;

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
  const database = createKnex({
    client: 'better-sqlite3',
    connection: { filename: options.database },
    useNullAsDefault: true,
  });
  await applyDatabaseMigrations(database);
  const config = new ConfigReader({
    multiclusterRelease: {
      kubeconfig: { path: options.kubeconfig, ignoreContextSuffixes: ['-admin'] },
    },
  });
  const access = createClusterAccess({ config, logger: SILENT });
  await access.start();
  const cipher = new ContentCipher([], randomBytes);
  const now = () => systemTiming.now();
  const contents = createContentStore(database, { cipher, clock: now });
  const clusters = options.wrapRegistry?.(access.registry) ?? access.registry;
  const hands = createHands({ clusters, contents, timing: systemTiming });
  const listeners = new Set<(run: ReleaseRun) => void>();
  const store = createEngineStore(database, now, lookUpFleet(access.registry));
  const engine = new Engine({
    store: options.wrapStore?.(store) ?? store,
    hands,
    clock: systemTiming,
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
    ...{ database, cipher, contents, hands, now },
    newId: randomUUID,
    settings: readSettings(config),
    registry: access.registry,
    prober: access.prober,
    readQuotas: (target, signal) => readQuotas(access.registry, target, signal),
    sources: NO_SOURCES,
    onChange: ({ releaseId }) => engine.wake(releaseId),
  };
  const load = (id: string) => readRun(database, id);
  return {
    database,
    engine,
    release: documents => start(commands, documents),
    preview: async documents => planRelease(commands, await compileRequest(commands, documents)),
    act: async (releaseId, action, request = {}) =>
      (await actOnRelease(commands, { releaseId, action, actor: ACTOR, request })).id,
    run: load,
    until: (id, holds) => untilRun(id, holds, load, listeners),
    ended: id => untilRun(id, run => isFinalRelease(run.state) && !run.needsWork, load, listeners),
    close: async () => {
      await engine.stop();
      await access.close();
      await database.destroy();
    },
  };
}

const ACTOR = { ref: 'user:default/ann' };

async function start(commands: CommandContext, documents: string): Promise<string> {
  const { id } = await startRelease(commands, {
    ...(await compileRequest(commands, documents)),
    actor: ACTOR,
  });
  return id;
}

async function compileRequest(
  commands: CommandContext,
  documents: string,
): Promise<CompileRequest> {
  const entity = { ref: SERVICE };
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
  const arrived = new Promise<ReleaseRun>((resolve, reject) => {
    const timer = setTimeout(async () => {
      listeners.delete(listener);
      reject(new Error(`Release ${id} did not get there: ${describe(await load(id))}`));
    }, PATIENCE_MILLISECONDS);
    const listener = (run: ReleaseRun) => {
      if (run.id === id && holds(run)) {
        clearTimeout(timer);
        listeners.delete(listener);
        resolve(run);
      }
    };
    listeners.add(listener);
    load(id).then(listener, reject);
  });
  return arrived;
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
