import fs from 'node:fs';
import { dataPaths, ETCD } from './dataFolder.mjs';
import { withLock } from './lock.mjs';
import { endParts, findParts } from './parts.mjs';
import { endSupervisors } from './supervisor.mjs';

/**
 * Ends clusters; their data stays, and `up` brings them back.
 *
 * @param {string} folder
 * @param {string[]} clusters None means all, and with the last one goes etcd.
 * @returns {Promise<string[]>} Names of those that were running.
 */
export async function down(folder, clusters) {
  // The lock would make the folder.
  if (!fs.existsSync(folder)) {
    return [];
  }
  try {
    return await withLock(dataPaths(folder).lock, () => endUnderLock(folder, clusters));
  } catch (error) {
    // Somebody has removed it while we waited for the lock: nothing is left to end.
    if (!fs.existsSync(folder)) {
      return [];
    }
    throw error;
  }
}

/**
 * @param {string} folder
 * @param {string[]} clusters
 */
async function endUnderLock(folder, clusters) {
  const running = findParts(folder);
  const isMeant = (/** @type {string} */ name) => clusters.length === 0 || clusters.includes(name);
  const staying = running.filter(({ cluster }) => cluster !== ETCD && !isMeant(cluster));
  const ending = running.filter(({ cluster }) =>
    cluster === ETCD ? staying.length === 0 : isMeant(cluster),
  );
  await endParts(folder, ending);
  if (staying.length === 0) {
    await endSupervisors(folder);
  }
  return [...new Set(ending.map(({ cluster }) => cluster))].filter(name => name !== ETCD);
}
