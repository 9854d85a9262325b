/**
 * The PostgreSQL of the database tests, started as a child.
 */
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./postgres.mjs', import.meta.url));
const START_MILLISECONDS = 60_000;

/**
 * @typedef {object} Postgres
 * @property {string} url
 * @property {() => Promise<void>} stop
 */

/**
 * @param {object} options
 * @param {import('./toolchain.mjs').Toolchain} options.toolchain
 * @param {NodeJS.ProcessEnv} options.env
 * @param {string} options.logFile
 * @returns {Promise<Postgres>}
 */
export function startPostgres({ toolchain, env, logFile }) {
  // The child ends when this pipe closes: so it also ends when we are killed. A
  // group of its own keeps Ctrl-C from it until the tests are over.
  const child = spawn(toolchain.node, [PROGRAM], {
    env,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stderr.pipe(createWriteStream(logFile));
  const ended = new Promise(resolve => child.once('close', resolve));
  const stop = async () => {
    child.stdin.end();
    await ended;
  };
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      stop();
      reject(
        new Error(`PostgreSQL did not start within ${START_MILLISECONDS / 1000} s; see ${logFile}`),
      );
    }, START_MILLISECONDS);
    child.once('error', reject);
    child.once('close', code =>
      reject(new Error(`PostgreSQL ended with exit code ${code}; see ${logFile}`)),
    );
    createInterface(child.stdout).once('line', line => {
      clearTimeout(timer);
      resolve({ url: JSON.parse(line).url, stop });
    });
    ended.then(() => clearTimeout(timer));
  });
}
