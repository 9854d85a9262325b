import fs from 'node:fs';
import path from 'node:path';
import { dataPaths } from './dataFolder.mjs';

/**
 * @param {string} folder
 * @param {import('./dataFolder.mjs').State} state
 * @param {string} cluster
 * @returns {import('./request.mjs').Target} The cluster's API server, asked as admin.
 */
export function adminTarget(folder, state, cluster) {
  const { port, adminToken } = state.clusters[cluster];
  return {
    port,
    token: adminToken,
    authority: fs.readFileSync(dataPaths(folder).authority),
  };
}

/**
 * @param {string} folder
 * @param {import('./dataFolder.mjs').State} state
 * @returns {import('./request.mjs').Target}
 */
export function etcdTarget(folder, state) {
  const paths = dataPaths(folder);
  return {
    port: state.etcd.clientPort,
    authority: fs.readFileSync(paths.authority),
    certificate: fs.readFileSync(path.join(paths.etcdPki, 'client.crt')),
    key: fs.readFileSync(path.join(paths.etcdPki, 'client.key')),
  };
}
