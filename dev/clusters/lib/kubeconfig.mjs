import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The one file with a context for each cluster: `<cluster>` with few rights, `<cluster>-admin` with all. */
export function kubeconfigPath(folder) {
  return join(folder, 'kubeconfig');
}

/** Writes the kubeconfig of all known clusters. @param {import('./state.mjs').State} state */
export async function writeKubeconfig(folder, state) {
  const ca = (await readFile(join(folder, 'pki', 'ca.crt'))).toString('base64');
  const names = Object.keys(state.clusters);
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': names[0] ?? '',
    clusters: names.map(name => ({
      name,
      cluster: { server: `https://127.0.0.1:${state.clusters[name].port}`, 'certificate-authority-data': ca },
    })),
    users: names.flatMap(name => [
      { name, user: { token: state.clusters[name].token } },
      { name: `${name}-admin`, user: { token: state.clusters[name].adminToken } },
    ]),
    contexts: names.flatMap(name => [
      { name, context: { cluster: name, user: name } },
      { name: `${name}-admin`, context: { cluster: name, user: `${name}-admin` } },
    ]),
  };
  await write(kubeconfigPath(folder), config);
}

/** For the controllers of one cluster. */
export async function writeAdminKubeconfig(folder, name, cluster) {
  const ca = (await readFile(join(folder, 'pki', 'ca.crt'))).toString('base64');
  const path = join(folder, name, 'admin.kubeconfig');
  await write(path, {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [{ name, cluster: { server: `https://127.0.0.1:${cluster.port}`, 'certificate-authority-data': ca } }],
    users: [{ name, user: { token: cluster.adminToken } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
  });
  return path;
}

/** JSON is YAML; readers never see half a file. */
async function write(path, config) {
  await writeFile(`${path}.new`, JSON.stringify(config, undefined, 2), { mode: 0o600 });
  await rename(`${path}.new`, path);
}
