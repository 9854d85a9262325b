import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from './build.mjs';
import { kubeconfigPath, writeKubeconfig } from './kubeconfig.mjs';
import { prepareCluster } from './prepareCluster.mjs';
import { end, isAlive, signal } from './processes.mjs';
import { request } from './request.mjs';
import { startCluster } from './startCluster.mjs';
import { startEtcd } from './startEtcd.mjs';
import { changeState, readState } from './state.mjs';

/**
 * Starts clusters (those that run are left alone) and waits until they are ready.
 * @param {string} folder @param {string[]} names
 * @param {{progress?: (text: string) => void, onReady?: (name: string) => void}} [options]
 */
export async function up(folder, names, { progress = () => {}, onReady = () => {} } = {}) {
  names.forEach(requireName);
  const program = await build(progress);
  const clusters = await changeState(folder, async state => {
    await promisify(execFile)(program, ['pki', '--folder', join(folder, 'pki')]);
    await startEtcd(program, folder, state);
    for (const name of names) {
      await startCluster(program, folder, state, name);
    }
    await writeKubeconfig(folder, state);
    return state.clusters;
  });
  await Promise.all(
    names.map(async name => {
      await prepareCluster(program, folder, name, clusters[name]);
      onReady(name);
    }),
  );
  return { kubeconfig: kubeconfigPath(folder), clusters: await status(folder, names) };
}

function requireName(name) {
  if (!/^[a-z0-9]([-a-z0-9]{0,40}[a-z0-9])?$/.test(name)) {
    throw new Error(
      `"${name}" is no cluster name: use small letters, digits and dashes, for example cluster-a.`,
    );
  }
}

/** Ends clusters; without names everything of the folder. Data stay. */
export function down(folder, names = []) {
  return changeState(folder, async state => {
    const chosen = names.length > 0 ? names : Object.keys(state.clusters);
    const processes = chosen.flatMap(name => Object.values(known(state, name).processes));
    await Promise.all(processes.map(own => end(own)));
    chosen.forEach(name => {
      known(state, name).processes = {};
    });
    const running = Object.values(state.clusters).some(cluster =>
      Object.values(cluster.processes).some(isAlive),
    );
    if (!running && state.etcd) {
      await end(state.etcd.process);
      state.etcd.process = undefined;
    }
    return chosen;
  });
}

/** @returns {Promise<{name: string, server: string, state: string, processes: Record<string, number>}[]>} */
export async function status(folder, names) {
  const state = await readState(folder);
  return Promise.all(
    (names ?? Object.keys(state.clusters)).map(async name => {
      const cluster = known(state, name);
      const processes = Object.entries(cluster.processes).filter(([, own]) => isAlive(own));
      return {
        name,
        server: `https://127.0.0.1:${cluster.port}`,
        state: await stateOf(folder, cluster, processes.length),
        processes: Object.fromEntries(processes.map(([part, { pid }]) => [part, pid])),
      };
    }),
  );
}

async function stateOf(folder, cluster, processes) {
  if (processes === 0) {
    return 'down';
  }
  try {
    const ca = await readFile(join(folder, 'pki', 'ca.crt'), 'utf8');
    const answer = await request({
      port: cluster.port,
      token: cluster.token,
      ca,
      path: '/readyz',
      timeoutMilliseconds: 1_500,
    });
    return answer.status === 200 ? 'ready' : 'starting';
  } catch {
    return 'not answering';
  }
}

/** @param {NodeJS.Signals} name SIGKILL, SIGSTOP or SIGCONT to the cluster's API server */
export async function signalApiserver(folder, cluster, name) {
  const state = await readState(folder);
  if (!signal(known(state, cluster).processes['kube-apiserver'], name)) {
    throw new Error(
      `The API server of ${cluster} does not run. Start it with: npm run clusters -- up ${cluster}`,
    );
  }
}

function known(state, name) {
  const cluster = state.clusters[name];
  if (!cluster) {
    const names = Object.keys(state.clusters).join(', ') || 'none yet';
    throw new Error(
      `There is no cluster ${name}. Known clusters: ${names}. Make one with: npm run clusters -- up ${name}`,
    );
  }
  return cluster;
}
