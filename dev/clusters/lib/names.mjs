import { ETCD } from './dataFolder.mjs';
import { HarnessError } from './errors.mjs';

/**
 * Names of new clusters: they become parts of object names, contexts and folders.
 *
 * @param {string[]} names
 */
export function checkNewNames(names) {
  for (const name of names) {
    if (!/^[a-z0-9]([-a-z0-9]{0,38}[a-z0-9])?$/.test(name)) {
      throw new HarnessError(
        `${name}: not a name for a cluster; use up to 40 small letters, digits and dashes, as in cluster-a`,
      );
    }
    if (name === ETCD || name.endsWith('-admin')) {
      throw new HarnessError(
        `${name}: taken; "${ETCD}" is the store of all clusters and "<cluster>-admin" the admin's context, choose another name`,
      );
    }
  }
}

/**
 * @param {string[]} names
 * @param {string[]} known
 * @param {string} folder
 */
export function checkKnownNames(names, known, folder) {
  for (const name of names) {
    if (!known.includes(name)) {
      throw new HarnessError(
        known.length === 0
          ? `${name}: there are no clusters in ${folder}; start some with "up <cluster…>", or name their folder with --data`
          : `${name}: no such cluster in ${folder}; known are ${known.join(', ')}`,
      );
    }
  }
}
