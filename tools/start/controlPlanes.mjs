/**
 * The development clusters, as a start needs them.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { dataPaths as clusterPaths, readState } from '../../dev/clusters/lib/dataFolder.mjs';
import { down } from '../../dev/clusters/lib/down.mjs';
import { request } from '../../dev/clusters/lib/request.mjs';
import { adminTarget } from '../../dev/clusters/lib/targets.mjs';
import { runCommand } from '../run.mjs';

const CLI = fileURLToPath(new URL('../../dev/clusters/cli.mjs', import.meta.url));

/** Where the sample service runs, in the order of its groups. */
export const SAMPLE_CLUSTERS = ['cluster-a', 'cluster-b', 'cluster-c', 'cluster-green'];
/** `edge` shows a cluster that the sample's placement leaves out. */
export const DEV_CLUSTERS = [...SAMPLE_CLUSTERS, 'edge'];

/** The product's own identity may not make it. */
const SAMPLE_NAMESPACE = 'production';

const OLDEST_MINOR_OF_GO = 26;

/** The build stands back: the pages come first. */
const BUILD_NICENESS = 10;

/** For example `cluster-a: starting kwok (3.1 s)`. */
const PROGRESS_LINE = /\(\d+(\.\d+)? s\)$/;
const COMPLAINT_LINES = 6;

/** Whether there is a Go that is new enough, or nothing to build with it. */
export function canHaveClusters() {
  const { stdout } = spawnSync('go', ['version'], { encoding: 'utf8' });
  const [, major, minor] = /go(\d+)\.(\d+)/.exec(stdout ?? '') ?? [];
  const isNew = Number(major) > 1 || (Number(major) === 1 && Number(minor) >= OLDEST_MINOR_OF_GO);
  // Without Go this answers at once, from the cache or with an error.
  return isNew || spawnSync(process.execPath, [CLI, 'build'], { stdio: 'ignore' }).status === 0;
}

/** @param {string} folder */
export function kubeconfigOf(folder) {
  return clusterPaths(folder).kubeconfig;
}

/**
 * Builds the control planes, unless they are in the cache.
 *
 * @param {object} options
 * @param {string} options.logFile
 * @param {(progress: string) => void} options.onProgress for example `compiling Kubernetes, 300 of 1200 packages`
 * @throws {Error} with what the build said last
 */
export function buildControlPlanes({ logFile, onProgress }) {
  return harness(['build'], {
    logFile,
    niceness: BUILD_NICENESS,
    onLine: line => {
      const progress = /^build: (.*) \(\d+ s\)$/.exec(line)?.[1];
      if (progress) {
        onProgress(progress);
      }
    },
  });
}

/**
 * Starts the clusters; they end when this process does.
 *
 * @param {object} options
 * @param {string} options.folder
 * @param {string} options.logFile
 * @param {(line: string) => void} options.onProgress for example `cluster-a: ready (3.1 s)`
 */
export async function startClusters({ folder, logFile, onProgress }) {
  const parent = ['--parent-pid', String(process.pid)];
  await harness(['up', ...DEV_CLUSTERS, '--data', folder, ...parent], {
    logFile,
    onLine: onProgress,
  });
  await Promise.all(SAMPLE_CLUSTERS.map(cluster => makeNamespace(folder, cluster)));
}

/** @param {string} folder */
export async function endClusters(folder) {
  if (readState(folder)) {
    await down(folder, []);
  }
}

/** @param {string} folder @param {string} cluster */
async function makeNamespace(folder, cluster) {
  const state = readState(folder);
  if (!state) {
    throw new Error(`${folder}: holds no clusters; delete it and start again`);
  }
  const answer = await request(adminTarget(folder, state, cluster), '/api/v1/namespaces', {
    method: 'POST',
    body: JSON.stringify({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: SAMPLE_NAMESPACE },
    }),
  });
  const isThere = answer.status === 201 || answer.status === 409;
  if (!isThere) {
    throw new Error(
      `${cluster}: namespace ${SAMPLE_NAMESPACE}: could not be made (${answer.status}); see its logs`,
    );
  }
}

/**
 * @param {string[]} args
 * @param {{ logFile: string, niceness?: number, onLine: (line: string) => void }} options
 */
async function harness(args, { logFile, niceness, onLine }) {
  let rest = '';
  const { code } = await runCommand(process.execPath, [CLI, ...args], {
    quiet: true,
    logFile,
    niceness,
    onOutput: text => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(onLine);
    },
  });
  if (code !== 0) {
    throw new Error(complaint(logFile) || `ended with exit code ${code}; see ${logFile}`);
  }
}

/** What it said last, beside its progress. @param {string} file */
function complaint(file) {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .filter(line => !PROGRESS_LINE.test(line))
    .slice(-COMPLAINT_LINES)
    .join('\n');
}
