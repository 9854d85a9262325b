import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { HarnessError } from '../clusters/lib/errors.mjs';
import { chooseFreePort } from '../clusters/lib/ports.mjs';
import { waitFor } from '../clusters/lib/waitFor.mjs';

const READY_SECONDS = 60;

/**
 * @typedef {object} Running
 * @property {string} address
 * @property {number} pid
 * @property {Promise<unknown>} ended
 * @property {() => void} end
 */

/**
 * Starts a Prometheus on a free port of 127.0.0.1 and waits until it answers.
 *
 * @param {object} options
 * @param {string} options.binary
 * @param {string} options.config Its configuration file.
 * @param {string} options.data An empty folder; its log is there, too.
 * @returns {Promise<Running>}
 */
export async function run({ binary, config, data }) {
  const logFile = path.join(data, 'prometheus.log');
  const port = await chooseFreePort(data);
  const log = fs.openSync(logFile, 'a', 0o600);
  const child = spawn(
    binary,
    [
      `--config.file=${path.resolve(config)}`,
      `--storage.tsdb.path=${path.join(data, 'tsdb')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
    ],
    { cwd: data, stdio: ['ignore', log, log] },
  );
  fs.closeSync(log);
  let hasEnded = false;
  const ended = once(child, 'exit').finally(() => (hasEnded = true));
  ended.catch(() => {});
  const address = `http://127.0.0.1:${port}`;
  // What is killed in its middle has nothing to lose: the folder is of one test.
  const end = () => child.kill('SIGKILL');
  try {
    await waitFor(() => hasEnded || isReady(address), {
      timeoutSeconds: READY_SECONDS,
      onTimeout: () => `prometheus: not ready after ${READY_SECONDS} s; see ${logFile}`,
    });
  } catch (error) {
    end();
    throw error;
  }
  if (hasEnded) {
    const last = fs.readFileSync(logFile, 'utf8').trim().split('\n').slice(-5).join('\n');
    throw new HarnessError(`prometheus: ended at once; correct what it says\n${last}`);
  }
  return { address, pid: child.pid ?? 0, ended, end };
}

async function isReady(/** @type {string} */ address) {
  try {
    return (await fetch(`${address}/-/ready`, { signal: AbortSignal.timeout(5_000) })).ok;
  } catch {
    return false;
  }
}
