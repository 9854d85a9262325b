/**
 * Kubeconfig files, written as JSON, which is YAML too: no YAML library is needed.
 */

/**
 * @typedef {object} KubeconfigEntry
 * @property {string} cluster Name of the cluster.
 * @property {number} port
 * @property {string} context Name of the context and of its user.
 * @property {string} token
 */

/** The context of the least-privilege identity has the cluster's own name: it is what the product uses. */
export const contextName = (/** @type {string} */ cluster) => cluster;

export const adminContextName = (/** @type {string} */ cluster) => `${cluster}-admin`;

/**
 * @param {import('./dataFolder.mjs').State} state
 * @returns {KubeconfigEntry[]} Two per cluster.
 */
export function entriesOf(state) {
  return Object.entries(state.clusters).flatMap(([cluster, { port, productToken, adminToken }]) => [
    { cluster, port, context: contextName(cluster), token: productToken },
    { cluster, port, context: adminContextName(cluster), token: adminToken },
  ]);
}

/**
 * @param {KubeconfigEntry[]} entries The context of the first is the current one.
 * @param {Buffer} authority The CA certificate, PEM.
 */
export function kubeconfig(entries, authority) {
  const ports = new Map(entries.map(({ cluster, port }) => [cluster, port]));
  const content = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': entries[0]?.context ?? '',
    clusters: [...ports].map(([name, port]) => ({
      name,
      cluster: {
        server: serverAddress(port),
        'certificate-authority-data': authority.toString('base64'),
      },
    })),
    users: entries.map(({ context, token }) => ({
      name: context,
      user: { token },
    })),
    contexts: entries.map(({ cluster, context }) => ({
      name: context,
      context: { cluster, user: context },
    })),
  };
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

export function serverAddress(/** @type {number} */ port) {
  return `https://127.0.0.1:${port}`;
}
