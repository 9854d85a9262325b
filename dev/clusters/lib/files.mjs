/**
 * The files that the parts of the clusters read: certificates, tokens, stages, kubeconfigs.
 */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { KUBERNETES_VERSION } from './build.mjs';
import { controllersKubeconfig, stagesPath, tokensPath } from './components.mjs';
import { dataPaths, writeFile } from './dataFolder.mjs';
import { adminContextName, entriesOf, kubeconfig } from './kubeconfig.mjs';
import { PRODUCT_USER } from './objects.mjs';
import { stagesFile } from './stages.mjs';

/**
 * @param {string} folder
 * @param {import('./dataFolder.mjs').State} state
 * @param {string} binary
 */
export async function writeFiles(folder, state, binary) {
  const paths = dataPaths(folder);
  await makeCertificates(folder, Object.keys(state.clusters), binary);
  const authority = fs.readFileSync(paths.authority);
  const entries = entriesOf(state);
  writeFile(paths.kubeconfig, kubeconfig(entries, authority));
  for (const cluster of Object.keys(state.clusters)) {
    const admin = entries.filter(({ context }) => context === adminContextName(cluster));
    writeFile(controllersKubeconfig(paths, cluster), kubeconfig(admin, authority));
    writeFile(tokensPath(paths, cluster), tokensFile(state.clusters[cluster]));
    writeFile(stagesPath(paths, cluster), stagesFile({ kubernetesVersion: KUBERNETES_VERSION }));
  }
}

/** Token, user, uid, groups. */
function tokensFile(
  /** @type {import('./dataFolder.mjs').ClusterState} */ { adminToken, productToken },
) {
  return [
    `${adminToken},development-admin,development-admin,system:masters`,
    `${productToken},${PRODUCT_USER},${PRODUCT_USER}`,
    '',
  ].join('\n');
}

/**
 * @param {string} folder
 * @param {string[]} clusters
 * @param {string} binary
 */
async function makeCertificates(folder, clusters, binary) {
  const paths = dataPaths(folder);
  const isComplete = clusters.every(cluster =>
    ['serving.crt', 'service-accounts.pub'].every(file =>
      fs.existsSync(path.join(paths.clusterPki(cluster), file)),
    ),
  );
  if (!isComplete) {
    await promisify(execFile)(binary, ['pki', paths.pki, ...clusters]);
  }
}
