import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { waitFor } from '../lib/waitFor.mjs';

export const CLI = fileURLToPath(new URL('../cli.mjs', import.meta.url));

/** @typedef {{ code: number, stdout: string, stderr: string }} Ended */

/**
 * Runs a program to its end, whatever that is.
 *
 * @param {string} command
 * @param {string[]} parameters
 * @param {{ input?: string, environment?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<Ended>}
 */
export async function run(command, parameters, { input, environment = process.env } = {}) {
  const running = promisify(execFile)(command, parameters, {
    env: environment,
    maxBuffer: 50_000_000,
  });
  running.child.stdin?.end(input);
  try {
    return { code: 0, ...(await running) };
  } catch (error) {
    return { code: error.code, stdout: error.stdout, stderr: error.stderr };
  }
}

export function makeFolder() {
  return fs.mkdtempSync(path.join(os.tmpdir(), 'multicluster-release-clusters-'));
}

export function removeFolder(/** @type {string} */ folder) {
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/**
 * A folder that is gone after the test, even if the test fails.
 *
 * @param {import('node:test').TestContext} test
 */
export function temporaryFolder(test) {
  const folder = makeFolder();
  test.after(() => removeFolder(folder));
  return folder;
}

/** The same for a data folder, whose clusters end first. @param {import('node:test').TestContext} test */
export function temporaryData(test) {
  const folder = makeFolder();
  test.after(async () => {
    await cli(folder, 'down');
    removeFolder(folder);
  });
  return folder;
}

/**
 * @param {string} data The data folder.
 * @param {...string} parameters
 */
export function cli(data, ...parameters) {
  return run(process.execPath, [CLI, '--data', data, ...parameters]);
}

/**
 * @param {string} data
 * @param {...string} parameters
 * @returns {Promise<any>} What it printed as JSON.
 */
export async function cliJson(data, ...parameters) {
  const { code, stdout, stderr } = await cli(data, '--json', ...parameters);
  if (code !== 0) {
    throw new Error(`clusters ${parameters.join(' ')}: ended with ${code}\n${stderr}`);
  }
  return JSON.parse(stdout);
}

/**
 * Waits for a condition as long as a busy machine may need.
 *
 * @template T
 * @param {string} what
 * @param {() => T | Promise<T>} condition
 */
export function eventually(what, condition) {
  return waitFor(condition, {
    timeoutSeconds: 60,
    onTimeout: () => `${what}: not so after 60 s`,
  });
}
