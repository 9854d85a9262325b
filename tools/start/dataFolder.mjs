/**
 * What `npm start` keeps, so that the next start goes on where this one ended.
 *
 *   app-config.yaml   made anew at each start
 *   encryption-key    made once; without it the Secret data in the database is lost
 *   start.json        which process uses the folder
 *   database/, clusters/, logs/
 */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspectRecorded, recordOf } from '../../dev/clusters/lib/processes.mjs';
import { StartError } from './StartError.mjs';

const KEY_BYTES = 32;
const OWN_FILE = { mode: 0o600 };

/** @param {string} folder */
export function dataPaths(folder) {
  return {
    folder,
    config: join(folder, 'app-config.yaml'),
    encryptionKey: join(folder, 'encryption-key'),
    user: join(folder, 'start.json'),
    database: join(folder, 'database'),
    clusters: join(folder, 'clusters'),
    /** @param {string} name */
    log: name => join(folder, 'logs', `${name}.log`),
  };
}

/**
 * Makes the folder and takes it for this process: SQLite serves one backend only.
 *
 * @param {string} folder
 * @returns {Promise<{ endedCleanly: boolean }>} whether whoever used it before gave it back
 * @throws {StartError} where a living process uses it
 */
export async function takeDataFolder(folder) {
  const paths = dataPaths(folder);
  await makeFolders(folder, [paths.database, paths.clusters, join(folder, 'logs')]);
  const before = await readFile(paths.user, 'utf8')
    .then(JSON.parse)
    .catch(() => undefined);
  if (before && inspectRecorded(before)) {
    throw new StartError(
      `${folder}: used by npm start, process ${before.pid}; end that one, or choose another folder with --data <folder>`,
    );
  }
  await writeFile(paths.user, JSON.stringify(recordOf(process.pid)), OWN_FILE);
  return { endedCleanly: before === undefined };
}

/** @param {string} folder */
export async function giveDataFolderBack(folder) {
  await rm(dataPaths(folder).user, { force: true });
}

/** @param {string} folder @returns {Promise<string>} */
export async function keptEncryptionKey(folder) {
  const file = dataPaths(folder).encryptionKey;
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') {
      throw error;
    }
  }
  const key = randomBytes(KEY_BYTES).toString('base64');
  await writeFile(file, `${key}\n`, OWN_FILE);
  return key;
}

/**
 * A log that holds this start only; the one before stays beside it.
 *
 * @param {string} folder
 * @param {string} name
 */
export async function newLog(folder, name) {
  const file = dataPaths(folder).log(name);
  await rename(file, `${file}.before`).catch(() => {});
  return file;
}

/** @param {string} folder @param {string[]} below */
async function makeFolders(folder, below) {
  try {
    for (const path of [folder, ...below]) {
      await mkdir(path, { recursive: true, mode: 0o700 });
    }
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new StartError(
      `${folder}: cannot be made (${code}); choose another folder with --data <folder>`,
    );
  }
}
