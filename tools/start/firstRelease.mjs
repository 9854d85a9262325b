import { setTimeout as sleep } from 'node:timers/promises';
import { SAMPLE_CLUSTERS } from './controlPlanes.mjs';

export const SAMPLE_SERVICE = 'component:default/checkout';
export const SAMPLE_ENTITY = 'component/default/checkout';
const FIRST_VERSION = '1.0.0';
const PROBE_SECONDS = 120;
const LOOK_AGAIN_MILLISECONDS = 500;

/**
 * Brings the sample service to its clusters by a release of our own, unless it
 * runs somewhere already.
 *
 * @param {import('./BackstageClient.mjs').BackstageClient} backstage
 * @param {(progress: string) => void} onProgress
 * @returns {Promise<Sample>}
 * @throws {Error} where the release is refused or does not succeed
 *
 * @typedef {object} Sample
 * @property {string[]} versions that run, each once
 * @property {string} [underWay] the version of a release that an earlier start left; it may wait for a person
 */
export async function bringSample(backstage, onProgress) {
  const before = await backstage.get(`services/${SAMPLE_ENTITY}/summary`);
  if (before.activeRelease || before.versions.length > 0) {
    return { versions: versionsOf(before), underWay: before.activeRelease?.targetVersion };
  }
  await untilFinal(backstage, await startFirstRelease(backstage, onProgress), onProgress);
  return { versions: versionsOf(await backstage.get(`services/${SAMPLE_ENTITY}/summary`)) };
}

/**
 * @param {import('./BackstageClient.mjs').BackstageClient} backstage
 * @param {(progress: string) => void} onProgress
 * @returns {Promise<string>} its id
 */
async function startFirstRelease(backstage, onProgress) {
  await untilClustersAnswer(backstage, onProgress);
  onProgress(`starting ${FIRST_VERSION}`);
  const { id } = await backstage.post(`releases?service=${SAMPLE_SERVICE}`, {
    apiVersion: 'multicluster-release.io/v1',
    kind: 'ClusterRelease',
    metadata: { name: 'first' },
    spec: {
      service: SAMPLE_SERVICE,
      targetVersion: FIRST_VERSION,
      template: 'checkout',
      placement: 'checkout',
      policy: 'careful',
      strategy: { type: 'RollingUpdate', rollingUpdate: { mode: 'Parallel' } },
    },
  });
  return id;
}

/**
 * @param {import('./BackstageClient.mjs').BackstageClient} backstage
 * @param {(progress: string) => void} onProgress
 */
async function untilClustersAnswer(backstage, onProgress) {
  const giveUpAt = Date.now() + PROBE_SECONDS * 1000;
  for (;;) {
    const { items, stale } = await backstage.get('clusters');
    const silent = SAMPLE_CLUSTERS.filter(
      name => !items.some(cluster => cluster.name === name && cluster.state === 'ok'),
    );
    if (silent.length === 0 && !stale) {
      return;
    }
    if (Date.now() > giveUpAt) {
      throw new Error(`${silent.join(', ')}: not reached after ${PROBE_SECONDS} s; see Clusters`);
    }
    onProgress(`waiting until the backend has seen ${silent.join(', ')}`);
    await sleep(LOOK_AGAIN_MILLISECONDS);
  }
}

/**
 * @param {import('./BackstageClient.mjs').BackstageClient} backstage
 * @param {string} id
 * @param {(progress: string) => void} onProgress
 */
async function untilFinal(backstage, id, onProgress) {
  let release = await backstage.get(`releases/${id}`);
  while (release.finishedAt === undefined) {
    onProgress(`${release.counts.done} of ${release.counts.total} clusters have it`);
    release = await backstage.get(
      `releases/${id}?afterRevision=${release.revision}&waitSeconds=20`,
    );
  }
  if (release.state !== 'Succeeded') {
    throw new Error(`the first release of ${FIRST_VERSION} ended as ${release.state}`);
  }
}

/** @param {{ versions: { version?: string }[] }} summary */
function versionsOf({ versions }) {
  return [...new Set(versions.map(({ version }) => version ?? 'an unknown version'))].sort();
}
