import { CLUSTER_PARTS } from './components.mjs';
import { dataPaths, ETCD, readState } from './dataFolder.mjs';
import { adminContextName, contextName, serverAddress } from './kubeconfig.mjs';
import { findPart } from './parts.mjs';
import { tryRequest } from './request.mjs';
import { findSupervisors } from './supervisor.mjs';
import { adminTarget } from './targets.mjs';

/**
 * @typedef {object} PartStatus
 * @property {number} pid
 * @property {'running' | 'frozen'} state
 * @property {number} memoryMegabytes
 *
 * @typedef {object} ClusterStatus
 * @property {string} name
 * @property {'running' | 'frozen' | 'degraded' | 'stopped'} state
 *   frozen: its API server is. degraded: some parts run and some do not.
 * @property {boolean} ready Whether its API server says so now.
 * @property {string} server
 * @property {string} context Of the least-privilege identity.
 * @property {string} adminContext
 * @property {Record<string, PartStatus>} parts Those that run.
 * @property {string[]} missing Names of the parts that do not.
 *
 * @typedef {object} Status
 * @property {string} data
 * @property {string} kubeconfig
 * @property {ClusterStatus[]} clusters
 * @property {PartStatus | undefined} etcd
 * @property {number[]} supervisors Their pids.
 */

/**
 * @param {string} folder
 * @returns {Promise<Status>}
 */
export async function status(folder) {
  const state = readState(folder);
  return {
    data: folder,
    kubeconfig: dataPaths(folder).kubeconfig,
    clusters: state
      ? await Promise.all(
          Object.keys(state.clusters).map(name => clusterStatus(folder, state, name)),
        )
      : [],
    etcd: partStatus(findPart(folder, ETCD, ETCD)),
    supervisors: findSupervisors(folder).map(({ pid }) => pid),
  };
}

/**
 * @param {string} folder
 * @param {import('./dataFolder.mjs').State} state
 * @param {string} name
 * @returns {Promise<ClusterStatus>}
 */
async function clusterStatus(folder, state, name) {
  const parts = Object.fromEntries(
    CLUSTER_PARTS.map(part => [part, partStatus(findPart(folder, name, part))]).filter(
      ([, facts]) => facts,
    ),
  );
  return {
    name,
    state: overallState(parts),
    ready: parts.apiserver !== undefined && (await isReady(folder, state, name)),
    server: serverAddress(state.clusters[name].port),
    context: contextName(name),
    adminContext: adminContextName(name),
    parts,
    missing: CLUSTER_PARTS.filter(part => !parts[part]),
  };
}

/**
 * @param {string} folder
 * @param {import('./dataFolder.mjs').State} state
 * @param {string} name
 */
async function isReady(folder, state, name) {
  const answer = await tryRequest(adminTarget(folder, state, name), '/readyz', {
    timeoutMilliseconds: 1000,
  });
  return answer !== undefined;
}

/** @returns {ClusterStatus['state']} */
function overallState(/** @type {Record<string, PartStatus>} */ parts) {
  const count = Object.keys(parts).length;
  if (count === 0) {
    return 'stopped';
  }
  if (parts.apiserver?.state === 'frozen') {
    return 'frozen';
  }
  return count === CLUSTER_PARTS.length ? 'running' : 'degraded';
}

/** @returns {PartStatus | undefined} */
function partStatus(/** @type {import('./parts.mjs').Part | undefined} */ part) {
  return (
    part && {
      pid: part.record.pid,
      state: part.facts.state,
      memoryMegabytes: Math.round(part.facts.memoryBytes / 1e6),
    }
  );
}
