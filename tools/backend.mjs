/**
 * How the backend of this repository is started from its sources, as one process.
 */
import { join } from 'node:path';

/**
 * @typedef {object} BackendOptions
 * @property {string} root
 * @property {number} port of the backend
 * @property {string} appUrl where the browser finds the app
 * @property {string} data folder for the databases
 * @property {string[]} [configs] files after app-config.yaml
 */

/**
 * Arguments and variables for Node; the working folder is packages/backend.
 *
 * @param {BackendOptions} options
 */
export function backendCommand({ root, port, appUrl, data, configs = [] }) {
  return {
    cwd: join(root, 'packages', 'backend'),
    args: [
      '--enable-source-maps',
      '--no-warnings',
      // Backstage's own loader: TypeScript without a build.
      '--require',
      join(root, 'node_modules', '@backstage', 'cli-node', 'config', 'nodeTransform.cjs'),
      'src/index.ts',
      ...[join(root, 'app-config.yaml'), ...configs].flatMap(file => ['--config', file]),
    ],
    env: {
      MULTICLUSTER_RELEASE_DATA: data,
      APP_CONFIG_app_baseUrl: JSON.stringify(appUrl),
      APP_CONFIG_backend_baseUrl: JSON.stringify(`http://localhost:${port}`),
      APP_CONFIG_backend_listen_port: String(port),
      APP_CONFIG_backend_cors_origin: JSON.stringify(appUrl),
    },
  };
}
