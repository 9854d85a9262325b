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
 * @property {Running[]} running what the backend says runs
 * @property {string} [underWay] the version of a release that an earlier start left; it may wait for a person
 *
 * @typedef {object} Running
 * @property {string} version
 * @property {boolean} isSeen false: its clusters do not answer, so it is what ran there last
 * @property {string[]} clusters
 */
export async function bringSample(backstage, onProgress) {
  const before = await backstage.get(`services/${SAMPLE_ENTITY}/summary`);
  if (before.activeRelease || before.versions.length > 0) {
    return { running: runningOf(before), underWay: before.activeRelease?.targetVersion };
  }
  await untilFinal(backstage, await startFirstRelease(backstage, onProgress), onProgress);
  return { running: runningOf(await backstage.get(`services/${SAMPLE_ENTITY}/summary`)) };
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

/**
 * @param {{ versions: { version?: string, cluster: string, clusterState: string }[] }} summary
 * @returns {Running[]} one for each version and whether it is seen
 */
function runningOf({ versions }) {
  /** @type {Map<string, Running>} */
  const groups = new Map();
  for (const { version = 'an unknown version', cluster, clusterState } of versions) {
    const isSeen = clusterState === 'ok';
    const key = JSON.stringify([isSeen, version]);
    const group = groups.get(key) ?? { version, isSeen, clusters: [] };
    groups.set(key, { ...group, clusters: [...group.clusters, cluster].sort() });
  }
  return [...groups.values()].sort((a, b) => a.version.localeCompare(b.version));
}
