import fs from 'node:fs';
import path from 'node:path';
import { dataPaths, makeFolder } from './dataFolder.mjs';

/**
 * Tests remove their data folders, and with them what would say why they failed.
 * Where MULTICLUSTER_RELEASE_CLUSTER_LOGS names a folder, the logs of each new
 * data folder are written below it, from the first line, and stay there.
 *
 * @param {string} folder The data folder.
 * @param {string} [elsewhere]
 */
export function placeLogs(folder, elsewhere = process.env.MULTICLUSTER_RELEASE_CLUSTER_LOGS) {
  const { logs } = dataPaths(folder);
  removeDanglingLink(logs);
  if (!elsewhere || fs.existsSync(logs)) {
    return;
  }
  makeFolder(folder);
  makeFolder(elsewhere);
  fs.symlinkSync(fs.mkdtempSync(path.join(elsewhere, `${path.basename(folder)}-`)), logs);
}

/** What it led to has been removed, and nothing can be made below it. */
function removeDanglingLink(/** @type {string} */ file) {
  const isLink = fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink();
  if (isLink && !fs.existsSync(file)) {
    fs.unlinkSync(file);
  }
}
