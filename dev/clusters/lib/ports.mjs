import { randomInt } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { cacheFolder } from './cache.mjs';
import { HarnessError } from './errors.mjs';

/**
 * Ports are kept while a cluster is down. Below the range that systems use for
 * outgoing connections nobody is given one of them by chance in the meantime.
 */
const RANGE = { first: 20000, last: 31999 };

/**
 * A port that nobody listens on, and that no other data folder of this user
 * has: several may be started at the same moment.
 *
 * @param {string} folder The data folder that wants it.
 * @param {{ first: number, last: number }} [range]
 * @returns {Promise<number>}
 */
export async function chooseFreePort(folder, { first, last } = RANGE) {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = randomInt(first, last + 1);
    if (reserve(port, folder) && (await isFreePort(port))) {
      return port;
    }
  }
  throw new HarnessError(
    `ports ${first} to ${last}: no free one found; end what listens there, or delete data folders that you no longer need`,
  );
}

/**
 * A reservation is a file that names its data folder, and ends with that.
 *
 * @param {number} port
 * @param {string} folder
 * @returns {boolean}
 */
function reserve(port, folder) {
  const file = path.join(cacheFolder(), 'ports', String(port));
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const holder = readIfThere(file);
  if (holder === folder || (holder && fs.existsSync(path.join(holder, 'state.json')))) {
    return false;
  }
  fs.rmSync(file, { force: true });
  try {
    fs.writeFileSync(file, folder, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') {
      return false;
    }
    throw error;
  }
}

function readIfThere(/** @type {string} */ file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** @returns {Promise<boolean>} */
export function isFreePort(/** @type {number} */ port) {
  return new Promise(resolve => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
