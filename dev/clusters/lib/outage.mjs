/**
 * Real outages, made on purpose: an API server (or etcd, under all of them) is
 * killed, or frozen so that it accepts connections and never answers.
 */
import { ETCD } from './dataFolder.mjs';
import { HarnessError } from './errors.mjs';
import { endRecorded, inspectRecorded, signalRecorded } from './processes.mjs';
import { findPart } from './parts.mjs';
import { waitFor } from './waitFor.mjs';

/** @param {string} folder @param {string} cluster */
export async function kill(folder, cluster) {
  await endRecorded(findServer(folder, cluster).record);
}

/** @param {string} folder @param {string} cluster */
export async function freeze(folder, cluster) {
  await switchState(folder, cluster, 'SIGSTOP', 'frozen');
}

/** @param {string} folder @param {string} cluster */
export async function thaw(folder, cluster) {
  await switchState(folder, cluster, 'SIGCONT', 'running');
}

/** @param {string} folder @param {string} cluster */
function findServer(folder, cluster) {
  const server = findPart(folder, cluster, cluster === ETCD ? ETCD : 'apiserver');
  if (!server) {
    throw new HarnessError(
      `${cluster}: its API server is not running; start it with "npm run clusters -- up ${cluster}"`,
    );
  }
  return server;
}

/**
 * @param {string} folder
 * @param {string} cluster
 * @param {NodeJS.Signals} signal
 * @param {'running' | 'frozen'} state
 */
async function switchState(folder, cluster, signal, state) {
  const { record } = findServer(folder, cluster);
  signalRecorded(record, signal);
  await waitFor(() => inspectRecorded(record)?.state === state, {
    timeoutSeconds: 10,
    everyMilliseconds: 10,
    onTimeout: () =>
      `${cluster}: is not ${state} 10 s after ${signal}; see "npm run clusters -- status"`,
  });
}
