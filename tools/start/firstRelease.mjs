import { setTimeout as sleep } from 'node:timers/promises';
import { SAMPLE_CLUSTERS } from './controlPlanes.mjs';

export const SAMPLE_SERVICE = 'component:default/checkout';
export const SAMPLE_ENTITY = 'component/default/checkout';
const FIRST_VERSION = '1.0.0';
const PROBE_SECONDS = 120;
const LOOK_AGAIN_MILLISECONDS = 500;

/**
 * What an earlier start left of the sample service.
 *
 * @param {import('./BackstageClient.mjs').BackstageClient} backstage
 * @returns {Promise<Sample | undefined>} undefined: it runs nowhere, and is not on its way
 *
 * @typedef {object} Sample
 * @property {Running[]} running what the backend says runs
 * @property {UnderWay} [underWay] a release that has not ended
 *
 * @typedef {object} UnderWay
 * @property {string} version
 * @property {string} state of the release, as the API has it
 * @property {string} [message] what it waits for first of all
 *
 * @typedef {object} Running
 * @property {string} version
 * @property {boolean} isSeen false: its clusters do not answer, so it is what ran there last
 * @property {string[]} clusters
 */
export async function findSample(backstage) {
  const summary = await backstage.get(`services/${SAMPLE_ENTITY}/summary`);
  return summary.activeRelease || summary.versions.length > 0
    ? { running: runningOf(summary), underWay: underWayOf(summary) }
    : undefined;
}

/**
 * Brings the sample service to its clusters by a release of our own.
 *
 * @param {import('./BackstageClient.mjs').BackstageClient} backstage
 * @param {(progress: string) => void} onProgress
 * @returns {Promise<Sample>}
 * @throws {Error} where the release is refused or does not succeed
 */
export async function bringSample(backstage, onProgress) {
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
 * @param {{ activeRelease?: { targetVersion: string, state: string, waiting: { message: string }[] } }} summary
 * @returns {UnderWay | undefined}
 */
function underWayOf({ activeRelease }) {
  if (!activeRelease) {
    return undefined;
  }
  const { targetVersion: version, state, waiting } = activeRelease;
  return { version, state, message: waiting[0]?.message };
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
