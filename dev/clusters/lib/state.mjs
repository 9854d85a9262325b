import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive, startTime } from './processes.mjs';

/**
 * What the data folder remembers between commands.
 * @typedef {import('./processes.mjs').OwnProcess} OwnProcess
 * @typedef {{port: number, index: number, adminToken: string, token: string, processes: Record<string, OwnProcess>}} ClusterState
 * @typedef {{etcd?: {port: number, peerPort: number, process?: OwnProcess}, supervisor?: OwnProcess, clusters: Record<string, ClusterState>}} State
 */

/** @returns {Promise<State>} */
export async function readState(folder) {
  const file = join(folder, 'state.json');
  return existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : { clusters: {} };
}

/** @param {State} state */
async function writeState(folder, state) {
  const file = join(folder, 'state.json');
  await writeFile(`${file}.new`, JSON.stringify(state, undefined, 2), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/**
 * Changes the state while no other command does: one lock file per data folder,
 * which names its owner so that the lock of a killed command is not in the way.
 * @template T @param {string} folder @param {(state: State) => Promise<T>} change @returns {Promise<T>}
 */
export async function changeState(folder, change) {
  await mkdir(folder, { recursive: true });
  const lock = join(folder, 'lock');
  await takeLock(lock);
  try {
    const state = await readState(folder);
    try {
      return await change(state);
    } finally {
      // Also after a failure: what was started must not be forgotten.
      await writeState(folder, state);
    }
  } finally {
    await rm(lock, { force: true });
  }
}

async function takeLock(lock) {
  for (;;) {
    try {
      await writeFile(
        lock,
        JSON.stringify({ pid: process.pid, startedAt: startTime(process.pid) }),
        { flag: 'wx' },
      );
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') {
        throw error;
      }
    }
    const owner = await readFile(lock, 'utf8')
      .then(JSON.parse)
      .catch(() => undefined);
    if (owner && !isAlive(owner)) {
      await rm(lock, { force: true });
    } else {
      await new Promise(resolve => setTimeout(resolve, 100));
    }
  }
}

export function newToken() {
  return randomBytes(24).toString('hex');
}
