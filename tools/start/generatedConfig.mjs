/** Longer than the first build of the control planes takes on a slow machine. */
const START_GRACE_SECONDS = 3600;

/**
 * What this start adds to app-config.yaml and dev/samples/app-config.yaml.
 *
 * @param {object} options
 * @param {import('./flags.mjs').ClusterChoice} options.clusters
 * @param {string} options.kubeconfig of the development clusters; need not exist yet
 * @param {number} options.timeScale
 * @param {string[]} options.allowExec
 * @param {string} options.encryptionKey
 */
export function generatedConfig({ clusters, kubeconfig, timeScale, allowExec, encryptionKey }) {
  return {
    // The page comes from another port than the API and its socket.
    backend: { csp: { 'connect-src': ["'self'", 'http:', 'https:', 'ws:', 'wss:'] } },
    multiclusterRelease: {
      ...clusterConfig(clusters, kubeconfig),
      ...(allowExec.length > 0 && { allow: { exec: allowExec } }),
      encryption: { keys: [{ id: 'npm-start', secret: encryptionKey }] },
      development: { timeScale },
    },
  };
}

/** @param {import('./flags.mjs').ClusterChoice} clusters @param {string} kubeconfig */
function clusterConfig(clusters, kubeconfig) {
  switch (clusters.kind) {
    case 'dev':
      return {
        kubeconfig: { path: kubeconfig, ignoreContextSuffixes: ['-admin'] },
        probe: { startGraceSeconds: START_GRACE_SECONDS },
      };
    case 'kubeconfig':
      // null takes away what the samples describe.
      return { clusters: null, kubeconfig: { path: clusters.file } };
    default:
      return { clusters: null };
  }
}
