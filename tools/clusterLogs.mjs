import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';

/**
 * The logs of a suite's control planes are large, and of use only where it failed:
 * they are removed else.
 *
 * @param {string} folder there is none where the suite started no cluster
 * @param {{ failed: number }} result problems beside failed tests are counted in it
 * @returns {Promise<boolean>} whether there are logs to read
 */
export async function keepLogsOfFailure(folder, { failed }) {
  if (failed === 0) {
    await rm(folder, { recursive: true, force: true });
  }
  return existsSync(folder);
}
