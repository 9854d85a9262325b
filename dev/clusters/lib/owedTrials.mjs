/**
 * Which clusters owe a trial. It is written down before a part is started or
 * thawed, and stays until the trial has passed: an `up` that fails or is killed
 * in between leaves parts that run, of which nobody knows whether they work.
 */
import fs from 'node:fs';
import { dataPaths, writeFile } from './dataFolder.mjs';

/** @param {string} folder @param {string[]} clusters */
export function oweTrials(folder, clusters) {
  clusters.forEach(cluster => writeFile(dataPaths(folder).trialOwed(cluster), ''));
}

/** @param {string} folder @param {string} cluster */
export function owesTrial(folder, cluster) {
  return fs.existsSync(dataPaths(folder).trialOwed(cluster));
}

/** @param {string} folder @param {string} cluster */
export function settleTrial(folder, cluster) {
  fs.rmSync(dataPaths(folder).trialOwed(cluster), { force: true });
}
