/**
 * Real Kubernetes control planes on this machine: `npm run clusters -- <command>`.
 * Results go to standard output and everything else to standard error, so that
 * `--json` can be read by programs.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { once } from 'node:events';
import { numberOption, parseArguments } from './lib/arguments.mjs';
import { build } from './lib/build.mjs';
import { printBuildProgress } from './lib/buildProgress.mjs';
import { cacheFolder } from './lib/cache.mjs';
import { dataPaths, ETCD, readState } from './lib/dataFolder.mjs';
import { down } from './lib/down.mjs';
import { HarnessError } from './lib/errors.mjs';
import { checkKnownNames, checkNewNames } from './lib/names.mjs';
import { freeze, kill, thaw } from './lib/outage.mjs';
import { recordOf } from './lib/processes.mjs';
import { status } from './lib/status.mjs';
import { up } from './lib/up.mjs';

const HELP = `Real Kubernetes clusters on this machine, with simulated nodes.

  up <cluster…>        starts clusters, builds them first if needed, waits until they are ready
  down [<cluster…>]    ends them, or all; their data stays
  status               what runs
  kubeconfig           prints the path of the kubeconfig: contexts <cluster> and <cluster>-admin
  kill <cluster>       kills its API server; "up <cluster>" brings it back
  freeze <cluster>     its API server stops answering; "thaw <cluster>" lets it go on
  logs <cluster>       prints the paths and ends of its logs
  kubectl <arguments>  runs kubectl with that kubeconfig
  build                builds the binary only

  --data FOLDER        where all is kept; without it a folder in the user's cache
  --json               prints results as JSON
  --parent-pid PID     (up) everything ends when that process does, however it ends
  --foreground         (up) stays, and ends everything on Ctrl-C
  --timeout SECONDS    (up) how long to wait for a cluster, 180

"${ETCD}", the store under all clusters, can be killed, frozen and thawed like a cluster.`;

/**
 * @typedef {object} Context
 * @property {string} command
 * @property {string[]} names
 * @property {Record<string, string | true>} options
 * @property {string} folder
 */

/** @type {Record<string, (context: Context) => Promise<unknown>>} */
const COMMANDS = {
  up: runUp,
  down: runDown,
  status: runStatus,
  kubeconfig: runKubeconfig,
  kill: context => runOutage(context, kill, 'killed'),
  freeze: context => runOutage(context, freeze, 'frozen'),
  thaw: context => runOutage(context, thaw, 'thawed'),
  logs: runLogs,
  kubectl: runKubectl,
  build: runBuild,
};

/** @param {Context} context */
async function runUp({ names, options, folder }) {
  if (names.length === 0) {
    throw new HarnessError('up: no cluster is named; write for example "up cluster-a cluster-b"');
  }
  const clusters = [...new Set(names)];
  checkNewNames(clusters);
  const began = performance.now();
  const parentPid = options['--foreground'] ? process.pid : numberOption(options, '--parent-pid');
  const { clusters: results, binary } = await up(clusters, {
    folder,
    parent: parentPid ? recordOf(parentPid) : undefined,
    timeoutSeconds: numberOption(options, '--timeout'),
    onBuildProgress: printBuildProgress(),
    onProgress: ({ cluster, message, seconds }) =>
      console.error(`${cluster}: ${message} (${seconds.toFixed(1)} s)`),
  });
  const now = await status(folder);
  const result = {
    seconds: round((performance.now() - began) / 1000),
    binary,
    ...now,
    clusters: results.map(({ name, started, seconds }) => ({
      ...now.clusters.find(cluster => cluster.name === name),
      started,
      seconds: round(seconds),
    })),
  };
  print(options, result, () => [
    `${clusters.join(', ')}: ready in ${result.seconds} s`,
    `kubeconfig: ${result.kubeconfig}`,
  ]);
  if (options['--foreground']) {
    await stayUntilInterrupted(folder);
  }
}

/** @param {string} folder */
async function stayUntilInterrupted(folder) {
  console.error('Ctrl-C ends all of it.');
  const keepAlive = setInterval(() => {}, 60_000);
  await Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map(signal => once(process, signal)));
  clearInterval(keepAlive);
  await down(folder, []);
}

/** @param {Context} context */
async function runDown({ names, options, folder }) {
  checkKnownNames(names, knownClusters(folder), folder);
  const stopped = await down(folder, names);
  print(options, { data: folder, stopped }, () => [
    stopped.length > 0 ? `${stopped.join(', ')}: ended` : 'nothing was running',
  ]);
}

/** @param {Context} context */
async function runStatus({ options, folder }) {
  const result = await status(folder);
  print(options, result, () => [
    ...result.clusters.map(
      ({ name, state, ready, server, parts, missing }) =>
        `${name}: ${state}${state === 'running' && !ready ? ', not ready' : ''}${missingText(
          name,
          state,
          missing,
        )}, ${server}, ${megabytes(parts)} MB`,
    ),
    result.clusters.length === 0
      ? `no clusters in ${folder}; start some with "up <cluster…>"`
      : `etcd: ${
          result.etcd ? `${result.etcd.state}, ${result.etcd.memoryMegabytes} MB` : 'stopped'
        }`,
  ]);
}

/** @param {string} name @param {string} state @param {string[]} missing */
function missingText(name, state, missing) {
  return missing.length > 0 && state !== 'stopped'
    ? ` (${missing.join(', ')} ended; "up ${name}" starts it again)`
    : '';
}

/** @param {Record<string, { memoryMegabytes: number }>} parts */
function megabytes(parts) {
  return Object.values(parts).reduce((sum, part) => sum + part.memoryMegabytes, 0);
}

/** @param {Context} context */
async function runKubeconfig({ options, folder }) {
  const kubeconfig = existingKubeconfig(folder);
  print(options, { kubeconfig }, () => [kubeconfig]);
}

/** @param {string} folder */
function existingKubeconfig(folder) {
  const { kubeconfig } = dataPaths(folder);
  if (!fs.existsSync(kubeconfig)) {
    throw new HarnessError(
      `${folder}: no clusters there; start some with "up <cluster…>", or name their folder with --data`,
    );
  }
  return kubeconfig;
}

/**
 * @param {Context} context
 * @param {(folder: string, cluster: string) => Promise<void>} action
 * @param {string} done
 */
async function runOutage({ command, names, options, folder }, action, done) {
  if (names.length === 0) {
    throw new HarnessError(
      `${command}: no cluster is named; name one of ${
        knownClusters(folder).join(', ') || 'those you start with "up"'
      }`,
    );
  }
  checkKnownNames(names, knownServers(folder), folder);
  await Promise.all(names.map(name => action(folder, name)));
  print(options, { data: folder, clusters: names, state: done }, () => [
    `${names.join(', ')}: ${done}`,
  ]);
}

/** @param {Context} context */
async function runLogs({ names, options, folder }) {
  checkKnownNames(names, knownServers(folder), folder);
  const clusters = names.length > 0 ? names : knownServers(folder);
  const files = clusters.flatMap(cluster => logFiles(folder, cluster));
  print(options, { data: folder, files }, () =>
    files.flatMap(file => [`==> ${file} <==`, ...lastLines(file, 20), '']),
  );
}

/** @param {string} folder @param {string} cluster */
function logFiles(folder, cluster) {
  const logs = path.dirname(dataPaths(folder).log(cluster, ETCD));
  return fs.existsSync(logs)
    ? fs
        .readdirSync(logs)
        .sort()
        .map(name => path.join(logs, name))
    : [];
}

/** @param {string} file @param {number} count */
function lastLines(file, count) {
  return fs.readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count);
}

/** @param {Context} context */
async function runKubectl({ names, folder }) {
  const kubeconfig = existingKubeconfig(folder);
  const { binary } = await build({ onProgress: printBuildProgress() });
  const child = spawn(binary, ['kubectl', ...names], {
    stdio: 'inherit',
    env: {
      ...process.env,
      KUBECONFIG: kubeconfig,
      // Discovery of these clusters stays with them, and the user's habits out.
      KUBECACHEDIR: path.join(folder, 'kubectl-cache'),
      KUBERC: 'off',
    },
  });
  const [code] = await once(child, 'exit');
  process.exitCode = code ?? 1;
}

/** @param {Context} context */
async function runBuild({ options }) {
  const result = await build({ onProgress: printBuildProgress() });
  print(options, { ...result, seconds: round(result.seconds) }, () => [result.binary]);
}

/** @param {string} folder */
function knownClusters(folder) {
  return Object.keys(readState(folder)?.clusters ?? {});
}

/** The clusters and the store under them. @param {string} folder */
function knownServers(folder) {
  const clusters = knownClusters(folder);
  return clusters.length > 0 ? [...clusters, ETCD] : [];
}

/**
 * @param {Record<string, string | true>} options
 * @param {unknown} result
 * @param {() => string[]} lines
 */
function print(options, result, lines) {
  console.log(options['--json'] ? JSON.stringify(result, undefined, 2) : lines().join('\n'));
}

function round(/** @type {number} */ seconds) {
  return Math.round(seconds * 10) / 10;
}

async function main() {
  const { command, names, options } = parseArguments(process.argv.slice(2));
  if (options['--help'] || !command) {
    console.log(HELP);
    return;
  }
  const run = COMMANDS[command];
  if (!run) {
    throw new HarnessError(
      `${command}: no such command; there are ${Object.keys(COMMANDS).join(', ')}`,
    );
  }
  const folder = path.resolve(
    options['--data']?.toString() ?? path.join(cacheFolder(), 'clusters', 'default'),
  );
  await run({ command, names, options, folder });
}

main().catch(error => {
  console.error(error instanceof HarnessError ? error.message : error);
  process.exitCode = 1;
});
