/**
 * A data folder holds everything of a set of clusters: what etcd stores, the
 * certificates, and the ports and tokens that are chosen at the first start and
 * kept, so that a cluster comes back at the same address.
 *
 *   state.json                       ports and tokens (written once per cluster)
 *   run/<cluster>/<part>.json        pid and start time of each process
 *   logs/<cluster>/<part>.log
 *   pki/, etcd/, clusters/<cluster>/ certificates, data, files for the parts
 *   trials/<cluster>                 there while a trial of its parts is owed
 *   kubeconfig                       for people, tests and the product
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { HarnessError } from './errors.mjs';
import { chooseFreePort } from './ports.mjs';

/** etcd is shared by all clusters; among the names of clusters it stands for it. */
export const ETCD = 'etcd';

/**
 * @typedef {object} ClusterState
 * @property {number} index Decides the cluster's address ranges.
 * @property {number} port
 * @property {string} adminToken
 * @property {string} productToken
 *
 * @typedef {object} State
 * @property {1} version
 * @property {{ clientPort: number, peerPort: number }} etcd
 * @property {Record<string, ClusterState>} clusters
 */

/** @param {string} folder */
export function dataPaths(folder) {
  /** @param {...string} parts */
  const at = (...parts) => path.join(folder, ...parts);
  return {
    folder,
    state: at('state.json'),
    lock: at('lock'),
    kubeconfig: at('kubeconfig'),
    pki: at('pki'),
    authority: at('pki', 'ca.crt'),
    etcdData: at('etcd'),
    run: at('run'),
    logs: at('logs'),
    /** @param {string} cluster @param {string} part */
    record: (cluster, part) => at('run', cluster, `${part}.json`),
    /** @param {string} cluster @param {string} part */
    log: (cluster, part) => at('logs', cluster, `${part}.log`),
    /** @param {string} cluster */
    cluster: cluster => at('clusters', cluster),
    /** @param {string} cluster */
    trialOwed: cluster => at('trials', cluster),
    /** @param {string} cluster */
    clusterPki: cluster => at('pki', 'clusters', cluster),
    etcdPki: at('pki', 'etcd'),
  };
}

/**
 * @param {string} folder
 * @returns {State | undefined} Undefined if nothing was ever started there.
 */
export function readState(folder) {
  const file = dataPaths(folder).state;
  let content;
  try {
    content = fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') {
      return undefined;
    }
    throw error;
  }
  try {
    return JSON.parse(content);
  } catch {
    throw new HarnessError(
      `${file}: not readable as JSON; delete the folder ${folder} and start again`,
    );
  }
}

/**
 * Gives ports and tokens to the clusters that have none yet. Called under the lock.
 *
 * @param {string} folder
 * @param {string[]} clusters
 * @returns {Promise<State>}
 */
export async function addClusters(folder, clusters) {
  makeFolder(folder);
  const state = readState(folder) ?? (await newState(folder));
  for (const cluster of clusters) {
    if (!state.clusters[cluster]) {
      state.clusters[cluster] = {
        index: Object.keys(state.clusters).length,
        port: await chooseFreePort(folder),
        adminToken: randomBytes(24).toString('hex'),
        productToken: randomBytes(24).toString('hex'),
      };
    }
  }
  writeFile(dataPaths(folder).state, `${JSON.stringify(state, undefined, 2)}\n`);
  return state;
}

/** @returns {Promise<State>} */
async function newState(/** @type {string} */ folder) {
  const clientPort = await chooseFreePort(folder);
  const peerPort = await chooseFreePort(folder);
  return { version: 1, etcd: { clientPort, peerPort }, clusters: {} };
}

/** Only for this user: the folder holds keys and tokens. */
export function makeFolder(/** @type {string} */ folder) {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/**
 * Writes a file at once, so that no reader sees half of it.
 *
 * @param {string} file
 * @param {string} content
 */
export function writeFile(file, content) {
  makeFolder(path.dirname(file));
  const unfinished = `${file}.${process.pid}.unfinished`;
  fs.writeFileSync(unfinished, content, { mode: 0o600 });
  fs.renameSync(unfinished, file);
}
