import { build } from './build.mjs';
import { CLUSTER_COMMANDS, CONTROLLER_PARTS, etcdCommand } from './components.mjs';
import { addClusters, dataPaths, ETCD } from './dataFolder.mjs';
import { HarnessError } from './errors.mjs';
import { writeFiles } from './files.mjs';
import { withLock } from './lock.mjs';
import { placeLogs } from './logs.mjs';
import { applyBaseObjects, haveNodesReported } from './objects.mjs';
import { owesTrial, oweTrials, settleTrial } from './owedTrials.mjs';
import { endOfLog, endParts, findPart, startPart } from './parts.mjs';
import { isFreePort } from './ports.mjs';
import { inspectRecorded, signalRecorded } from './processes.mjs';
import { tryRequest } from './request.mjs';
import { ensureSupervisor } from './supervisor.mjs';
import { adminTarget, etcdTarget } from './targets.mjs';
import { removeTrials, trialSteps } from './trial.mjs';
import { waitFor } from './waitFor.mjs';

/**
 * @typedef {object} UpOptions
 * @property {string} folder The data folder.
 * @property {import('./processes.mjs').ProcessRecord} [parent] All ends when this process does.
 * @property {AbortSignal} [signal] Gives the start up; what runs by then stays, for `down`.
 * @property {number} [timeoutSeconds] For each cluster to become ready; the build does not count.
 * @property {(progress: import('./goProgram.mjs').BuildProgress) => void} [onBuildProgress]
 * @property {(event: { cluster: string, message: string, seconds: number }) => void} [onProgress]
 *
 * @typedef {object} Run What the steps of one `up` share.
 * @property {string} folder
 * @property {string} binary
 * @property {import('./dataFolder.mjs').State} state
 * @property {number} timeoutSeconds
 * @property {() => void} checkWanted Throws once nobody wants the clusters any more.
 * @property {(cluster: string, message: string) => void} tell
 */

/**
 * Builds if needed, starts what is not running, thaws what is frozen, and waits
 * until every named cluster is ready. One of which a part had to be started or
 * thawed, now or since its last trial, is ready only once all of its parts have
 * done their work on a trial; `started` says so.
 *
 * @param {string[]} clusters
 * @param {UpOptions} options
 * @returns {Promise<{ binary: string, clusters: { name: string, started: boolean, seconds: number }[] }>}
 */
export async function up(clusters, options) {
  const { folder, parent } = options;
  // First of all: whatever happens to us from here on, somebody cleans up.
  if (parent) {
    await ensureSupervisor(folder, parent);
  }
  const { binary } = await build({ onProgress: options.onBuildProgress, signal: options.signal });
  const began = performance.now();
  /** @param {string} cluster @param {string} message */
  const tell = (cluster, message) =>
    options.onProgress?.({
      cluster,
      message,
      seconds: (performance.now() - began) / 1000,
    });
  return withLock(
    dataPaths(folder).lock,
    async () => {
      placeLogs(folder);
      const state = await addClusters(folder, clusters);
      await writeFiles(folder, state, binary);
      /** @type {Run} */
      const run = {
        folder,
        binary,
        state,
        timeoutSeconds: options.timeoutSeconds ?? 180,
        checkWanted: () => {
          options.signal?.throwIfAborted();
          checkParent(parent);
        },
        tell,
      };
      await etcdUp(run);
      const results = await Promise.all(clusters.map(name => clusterUp(run, name)));
      return { binary, clusters: results };
    },
    { onWait: pid => tell('all', `waiting for process ${pid}, which works on ${folder}`) },
  );
}

/** A start that goes on after its parent's end would leave orphans. */
function checkParent(/** @type {import('./processes.mjs').ProcessRecord | undefined} */ parent) {
  if (parent && !inspectRecorded(parent)) {
    throw new HarnessError(
      `process ${parent.pid}: ended while its clusters were starting; they end too`,
    );
  }
}

/** @param {Run} run */
async function etcdUp(run) {
  const { folder, state } = run;
  await ensurePart(run, ETCD, ETCD, {
    port: state.etcd.clientPort,
    command: etcdCommand(dataPaths(folder), state),
  });
  await waitForPart(run, ETCD, ETCD, async () =>
    tryRequest(etcdTarget(folder, state), '/readyz', { timeoutMilliseconds: 1000 }),
  );
}

/** @param {Run} run @param {string} cluster */
async function clusterUp(run, cluster) {
  const began = performance.now();
  const { folder, state } = run;
  const admin = adminTarget(folder, state, cluster);
  await ensureClusterPart(run, cluster, 'apiserver');
  if (owesTrial(folder, cluster)) {
    await endControllers(folder, cluster);
  }
  await waitForPart(run, cluster, 'apiserver', () =>
    tryRequest(admin, '/readyz', { timeoutMilliseconds: 2000 }),
  );
  await applyBaseObjects(cluster, admin);
  for (const part of CONTROLLER_PARTS) {
    await ensureClusterPart(run, cluster, part);
  }
  await waitForPart(run, cluster, 'kwok', () => haveNodesReported(admin));
  const started = owesTrial(folder, cluster);
  if (started) {
    await passTrial(run, cluster, admin);
  }
  run.tell(cluster, started ? 'ready' : 'was ready already');
  return { name: cluster, started, seconds: (performance.now() - began) / 1000 };
}

/** @param {Run} run @param {string} cluster @param {import('./request.mjs').Target} admin */
async function passTrial(run, cluster, admin) {
  try {
    for (const { part, isDone, missing } of trialSteps(admin)) {
      await waitForPart(run, cluster, part, isDone, missing);
    }
  } catch (error) {
    await removeTrials(admin);
    throw error;
  }
  settleTrial(run.folder, cluster);
}

/**
 * After an outage those that went through it ask less and less often, and would
 * do nothing for up to a minute; new ones begin at once.
 *
 * @param {string} folder
 * @param {string} cluster
 */
function endControllers(folder, cluster) {
  return endParts(
    folder,
    CONTROLLER_PARTS.flatMap(part => findPart(folder, cluster, part) ?? []),
  );
}

/** @param {Run} run @param {string} cluster @param {string} part */
function ensureClusterPart(run, cluster, part) {
  const { folder, state } = run;
  return ensurePart(run, cluster, part, {
    port: part === 'apiserver' ? state.clusters[cluster].port : undefined,
    command: CLUSTER_COMMANDS[part](dataPaths(folder), state, cluster),
  });
}

/**
 * @param {Run} run
 * @param {string} cluster
 * @param {string} part
 * @param {{ port?: number, command: string[] }} what
 */
async function ensurePart(run, cluster, part, { port, command }) {
  run.checkWanted();
  const running = findPart(run.folder, cluster, part);
  if (running && running.facts.state !== 'frozen') {
    return;
  }
  // Before anything runs: who ends us after this line leaves the trial to the next one.
  oweTrials(run.folder, cluster === ETCD ? Object.keys(run.state.clusters) : [cluster]);
  if (running) {
    signalRecorded(running.record, 'SIGCONT');
    return;
  }
  if (port && !(await isFreePort(port))) {
    throw new HarnessError(
      `${cluster}: its port ${port} is used by another process; end that one, or use another folder with --data`,
    );
  }
  run.tell(cluster, `starting ${part}`);
  startPart(run.folder, { cluster, part, binary: run.binary, command });
}

/**
 * @param {Run} run
 * @param {string} cluster
 * @param {string} part
 * @param {() => Promise<unknown>} isReady
 * @param {string} [missing] What it does not do where that never comes true.
 */
async function waitForPart(run, cluster, part, isReady, missing = 'is not ready') {
  const log = dataPaths(run.folder).log(cluster, part);
  await waitFor(
    async () => {
      run.checkWanted();
      if (await isReady()) {
        return true;
      }
      if (!findPart(run.folder, cluster, part)) {
        throw new HarnessError(
          `${cluster}: ${part} ended while starting; try again. The end of ${log}:\n${endOfLog(
            log,
          )}`,
        );
      }
      return false;
    },
    {
      timeoutSeconds: run.timeoutSeconds,
      onTimeout: () =>
        `${cluster}: ${part} ${missing} after ${
          run.timeoutSeconds
        } s; read ${log}, or give it longer with --timeout. Its end:\n${endOfLog(log)}`,
    },
  );
}
