import { join } from 'node:path';
import { installDependencies } from '../install.mjs';
import { bringToolchain } from '../toolchain.mjs';
import { buildApp } from './buildApp.mjs';
import { buildControlPlanes, startClusters } from './controlPlanes.mjs';
import { dataPaths, newLog } from './dataFolder.mjs';
import { execNotes, readContexts } from './execContexts.mjs';
import { bringSample, findSample } from './firstRelease.mjs';
import { startBackend } from './startBackend.mjs';
import { endText, sampleText, withoutSampleText } from './texts.mjs';

/** @typedef {'installation' | 'build of the control planes' | 'pages' | 'Backstage' | 'clusters' | 'first release'} Stage */

/**
 * @typedef {object} Start What the steps of one start share.
 * @property {string} root
 * @property {import('./flags.mjs').Flags} flags
 * @property {import('./flags.mjs').ClusterChoice} clusters what of the flags can be had
 * @property {import('../stages.mjs').Stages} stages
 * @property {import('./frontDoor.mjs').FrontDoor} door
 */

/**
 * The stages, in the order in which they begin.
 *
 * @param {import('./flags.mjs').ClusterChoice} clusters
 * @returns {Stage[]}
 */
export function stagesOf({ kind }) {
  return kind === 'dev'
    ? [
        'installation',
        'build of the control planes',
        'pages',
        'Backstage',
        'clusters',
        'first release',
      ]
    : ['installation', 'pages', 'Backstage'];
}

/**
 * Brings everything up and says what to press; then waits for the end of the backend.
 *
 * @param {Start} start
 * @returns {Promise<never>}
 */
export async function runStart(start) {
  const { root, flags, clusters, stages, door } = start;
  const toolchain = await bringToolchain({ log: line => stages.say(line) });
  const built = clusters.kind === 'dev' ? buildClusters(start) : undefined;
  await stages.run('installation', async () => {
    const logFile = await newLog(flags.data, 'installation');
    return installDependencies({ root, toolchain, quiet: true, logFile });
  });
  await sayContexts(start);
  await stages.run('pages', async () =>
    buildApp({ root, toolchain, logFile: await newLog(flags.data, 'pages') }),
  );
  const running = built && runClusters(start, built);
  const backend = await stages.run('Backstage', () =>
    startBackend({ root, flags, clusters, toolchain }),
  );
  door.open();
  stages.say(`The pages are up at http://localhost:${flags.port}`);
  const text = await Promise.race([closingText(start, backend.client, running), backend.ended]);
  console.log(['', ...text, ...endText(join(flags.data, 'logs'))].join('\n'));
  return backend.ended;
}

/**
 * @param {Start} start
 * @returns {Promise<string | undefined>} why they could not be built
 */
async function buildClusters({ flags, stages }) {
  const logFile = await newLog(flags.data, 'build');
  let progress = '';
  const build = () =>
    buildControlPlanes({
      logFile,
      onProgress: line => {
        progress = line;
      },
    });
  return whyNot(stages.run('build of the control planes', build, () => progress));
}

/**
 * @param {Start} start
 * @param {Promise<string | undefined>} built
 * @returns {Promise<string | undefined>} why they do not run
 */
async function runClusters({ flags, stages }, built) {
  const why = await built;
  if (why) {
    return why;
  }
  const logFile = await newLog(flags.data, 'clusters');
  const folder = dataPaths(flags.data).clusters;
  const onProgress = line => {
    if (line.includes('ready')) {
      stages.say(line);
    }
  };
  return whyNot(stages.run('clusters', () => startClusters({ folder, logFile, onProgress })));
}

/**
 * @param {Start} start
 * @param {import('./BackstageClient.mjs').BackstageClient} client
 * @param {Promise<string | undefined> | undefined} running
 * @returns {Promise<string[]>}
 */
async function closingText({ flags, clusters, stages }, client, running) {
  const { port, timeScale } = flags;
  if (!running) {
    return withoutSampleText({ port, why: withoutDevText(clusters, flags.clusters) });
  }
  const why = await running;
  if (why) {
    return withoutSampleText({ port, why: `The clusters do not run: ${why}` });
  }
  try {
    const sample = await settleSample(stages, client);
    return sampleText({ port, sample, timeScale });
  } catch (error) {
    return withoutSampleText({ port, why: `The first release did not succeed: ${error.message}` });
  }
}

/**
 * What there is of the sample; its first release is a stage only where there is one.
 *
 * @param {import('../stages.mjs').Stages} stages
 * @param {import('./BackstageClient.mjs').BackstageClient} client
 * @returns {Promise<import('./firstRelease.mjs').Sample>}
 * @throws {Error} where the release is refused or does not succeed
 */
export async function settleSample(stages, client) {
  const found = await findSample(client);
  if (found) {
    return found;
  }
  let progress = '';
  const bring = () =>
    bringSample(client, line => {
      progress = line;
    });
  return stages.run('first release', bring, () => progress);
}

/**
 * @param {import('./flags.mjs').ClusterChoice} clusters
 * @param {import('./flags.mjs').ClusterChoice} wanted
 */
function withoutDevText(clusters, wanted) {
  if (clusters.kind === 'kubeconfig') {
    return `Every context of ${clusters.file} is a cluster; nothing is released to them.`;
  }
  return wanted.kind === 'none'
    ? 'There are no clusters, as --clusters none says.'
    : 'There are no clusters, because Go was not found; with it, start again.';
}

/** @param {Start} start */
async function sayContexts({ flags, clusters, stages }) {
  if (clusters.kind === 'kubeconfig') {
    const contexts = await readContexts(clusters.file);
    execNotes(contexts, flags.allowExec).forEach(note => stages.say(note));
  }
}

/**
 * What the clusters suffer never ends the start: the pages are of use without them.
 *
 * @param {Promise<unknown>} work
 * @returns {Promise<string | undefined>}
 */
async function whyNot(work) {
  try {
    await work;
    return undefined;
  } catch (error) {
    return error.message;
  }
}
