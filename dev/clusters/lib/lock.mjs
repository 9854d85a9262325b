import fs from 'node:fs';
import path from 'node:path';
import { inspectRecorded, recordOf } from './processes.mjs';
import { waitFor } from './waitFor.mjs';

/**
 * Runs an action while no other process holds the lock. A lock whose holder
 * has died, even by kill -9, is taken over.
 *
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} action
 * @param {object} [options]
 * @param {number} [options.timeoutSeconds]
 * @param {(holderPid: number) => void} [options.onWait] Called once if somebody else holds it.
 * @returns {Promise<T>}
 */
export async function withLock(file, action, options = {}) {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  let hasWaited = false;
  await waitFor(
    () => {
      const holder = tryLock(file);
      if (holder && !hasWaited) {
        hasWaited = true;
        options.onWait?.(holder.pid);
      }
      return !holder;
    },
    {
      timeoutSeconds: options.timeoutSeconds ?? 600,
      onTimeout: () =>
        `${file}: held by process ${readHolder(file)?.pid}; wait for it or end it, then try again`,
    },
  );
  try {
    return await action();
  } finally {
    fs.rmSync(file, { force: true });
  }
}

/** @returns {import('./processes.mjs').ProcessRecord | undefined} The other holder; undefined if we have it now. */
function tryLock(/** @type {string} */ file) {
  const own = `${file}.${process.pid}`;
  // Written under another name and linked, so that nobody ever reads half a lock.
  fs.writeFileSync(own, JSON.stringify(recordOf(process.pid)));
  try {
    fs.linkSync(own, file);
    return undefined;
  } catch (error) {
    if (error.code !== 'EEXIST') {
      throw error;
    }
  } finally {
    fs.rmSync(own, { force: true });
  }
  const holder = readHolder(file);
  if (holder && inspectRecorded(holder)) {
    return holder;
  }
  breakLock(file, holder);
  return holder ?? { pid: 0, startTime: '' };
}

/**
 * Takes a dead holder's lock away. Two may try at once, and the slower one
 * would take the lock of the faster: so it looks at what it got, and puts a
 * living one back.
 *
 * @param {string} file
 * @param {import('./processes.mjs').ProcessRecord | undefined} dead
 */
function breakLock(file, dead) {
  const aside = `${file}.broken.${process.pid}`;
  try {
    fs.renameSync(file, aside);
    if (readHolder(aside)?.startTime !== dead?.startTime) {
      fs.linkSync(aside, file);
    }
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') {
      throw error;
    }
  } finally {
    fs.rmSync(aside, { force: true });
  }
}

/** @returns {import('./processes.mjs').ProcessRecord | undefined} */
function readHolder(/** @type {string} */ file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
