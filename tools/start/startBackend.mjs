import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { backendCommand } from '../backend.mjs';
import { runCommand } from '../run.mjs';
import { toolchainEnvironment } from '../toolchain.mjs';
import { BackstageClient } from './BackstageClient.mjs';
import { kubeconfigOf } from './controlPlanes.mjs';
import { dataPaths, keptEncryptionKey, newLog } from './dataFolder.mjs';
import { SAMPLE_ENTITY } from './firstRelease.mjs';
import { generatedConfig } from './generatedConfig.mjs';
import { StartError } from './StartError.mjs';

const READY_SECONDS = 300;
const CATALOG_SECONDS = 60;
const LOG_LINES_SHOWN = 25;
/** A backend that says so stays alive, and never becomes ready. */
const STARTUP_FAILED = 'Backend startup failed';

/**
 * @typedef {object} Backend
 * @property {BackstageClient} client
 * @property {Promise<never>} ended rejects when it ends, with the end of its log
 */

/**
 * Starts the backend and waits until it is ready and has read the samples.
 *
 * @param {object} options
 * @param {string} options.root
 * @param {import('./flags.mjs').Flags} options.flags
 * @param {import('./flags.mjs').ClusterChoice} options.clusters what of the flags can be had
 * @param {import('../toolchain.mjs').Toolchain} options.toolchain
 * @returns {Promise<Backend>}
 */
export async function startBackend({ root, flags, clusters, toolchain }) {
  const paths = dataPaths(flags.data);
  await writeConfig(flags, clusters);
  const { args, cwd, env } = backendCommand({
    root,
    port: flags.backendPort,
    appUrl: `http://localhost:${flags.port}`,
    data: paths.database,
    configs: [join(root, 'dev', 'samples', 'app-config.yaml'), paths.config],
  });
  const logFile = await newLog(flags.data, 'backend');
  const gaveUp = new AbortController();
  const failed = why =>
    new StartError(`The backend ${why}. The end of ${logFile}:\n${endOf(logFile)}`);
  const ended = runCommand(toolchain.node, args, {
    cwd,
    env: { ...toolchainEnvironment(toolchain), NODE_ENV: 'development', ...env },
    quiet: true,
    logFile,
    onOutput: text => {
      if (text.includes(STARTUP_FAILED)) {
        gaveUp.abort(new Error('could not start'));
      }
    },
  }).then(({ code }) => {
    gaveUp.abort(new Error(`ended with exit code ${code}`));
    throw failed(`ended with exit code ${code}`);
  });
  const client = new BackstageClient(flags.backendPort);
  const ready = untilUp(client, gaveUp.signal).catch(error => {
    throw failed(error.message);
  });
  await Promise.race([ready, ended]);
  return { client, ended };
}

/** @param {BackstageClient} client @param {AbortSignal} signal */
async function untilUp(client, signal) {
  await client.untilReady({ timeoutSeconds: READY_SECONDS, signal });
  const limits = { timeoutSeconds: CATALOG_SECONDS, signal };
  await client.untilInCatalog(SAMPLE_ENTITY, limits);
  await client.untilGuestHasGroups(limits);
}

/**
 * @param {import('./flags.mjs').Flags} flags
 * @param {import('./flags.mjs').ClusterChoice} clusters
 */
async function writeConfig({ data, timeScale, allowExec }, clusters) {
  const paths = dataPaths(data);
  const config = generatedConfig({
    clusters,
    kubeconfig: kubeconfigOf(paths.clusters),
    timeScale,
    allowExec,
    encryptionKey: await keptEncryptionKey(data),
  });
  // JSON is YAML, too. The key in it is for this user only.
  await writeFile(paths.config, `${JSON.stringify(config, undefined, 2)}\n`, { mode: 0o600 });
}

/** @param {string} file */
function endOf(file) {
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-LOG_LINES_SHOWN).join('\n');
}
