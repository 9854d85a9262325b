/**
 * What the browser tests run against, as one process in the foreground: real control
 * planes, and a backend with SQLite that serves the built app. All of it ends with
 * this process, and this process with the one that started it, however that ends.
 *
 *   --port <number>
 *   --data <folder>    emptied first; gets demonstration.json, which says how to reach the clusters
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { backendCommand } from '../../tools/backend.mjs';
import { runCommand, stopAllOnSignals } from '../../tools/run.mjs';
import { bringToolchain, toolchainEnvironment } from '../../tools/toolchain.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CLUSTERS_CLI = join(ROOT, 'dev', 'clusters', 'cli.mjs');
const END_WITH_PARENT = fileURLToPath(new URL('./endWithParent.mjs', import.meta.url));

const CLUSTERS = ['cluster-a', 'cluster-b', 'cluster-c', 'cluster-green', 'edge'];
/** Where the sample service runs; the product's own identity may not make it. */
const NAMESPACE = 'production';

const { values } = parseArgs({
  options: { port: { type: 'string' }, data: { type: 'string' } },
});
if (!values.port || !values.data) {
  throw new Error('demonstration: --port and --data are needed');
}
const port = Number(values.port);
const data = resolve(values.data);
const clustersData = join(data, 'clusters');

if (!existsSync(join(ROOT, 'packages', 'app', 'dist', 'index.html'))) {
  throw new Error(
    'The app is not built: run `npm run yarn -- workspace app build`, or `npm run test:e2e`',
  );
}
let lastDown = Promise.resolve();
stopAllOnSignals(takeClustersDown);
await takeClustersDown();
await rm(data, { recursive: true, force: true });
await mkdir(join(data, 'database'), { recursive: true });
const clusters = await startClusters();
await writeFile(join(data, 'demonstration.json'), JSON.stringify(clusters));
const ended = await runBackend(clusters);
await takeClustersDown();
process.exitCode = ended.code;

/** @typedef {{ binary: string, kubeconfig: string, data: string }} Clusters */

/** @returns {Promise<Clusters>} */
async function startClusters() {
  const output = await harness('up', ...CLUSTERS, '--json', '--parent-pid', String(process.pid));
  const { binary, kubeconfig } = JSON.parse(output);
  await Promise.all(
    CLUSTERS.map(cluster =>
      program(binary, [
        'kubectl',
        `--kubeconfig=${kubeconfig}`,
        `--context=${cluster}-admin`,
        'create',
        'namespace',
        NAMESPACE,
      ]),
    ),
  );
  return { binary, kubeconfig, data: clustersData };
}

/** @param {Clusters} clusters */
async function runBackend({ kubeconfig }) {
  const config = join(data, 'app-config.yaml');
  const multiclusterRelease = {
    kubeconfig: { path: kubeconfig, ignoreContextSuffixes: ['-admin'] },
    // Outages are part of the tests, and are to be seen soon.
    probe: { intervalSeconds: 3, timeoutSeconds: 3 },
  };
  // JSON is YAML, too.
  await writeFile(config, JSON.stringify({ multiclusterRelease }));
  const { args, cwd, env } = backendCommand({
    root: ROOT,
    port,
    appUrl: `http://localhost:${port}`,
    data: join(data, 'database'),
    configs: [join(ROOT, 'dev', 'samples', 'app-config.yaml'), config],
  });
  const toolchain = await bringToolchain({ log: line => console.error(line) });
  return runCommand(toolchain.node, ['--import', END_WITH_PARENT, ...args], {
    cwd,
    env: { ...toolchainEnvironment(toolchain), NODE_ENV: 'development', ...env },
  });
}

/**
 * The end of the backend and the signal that ends it both come here: one after the
 * other, or one would remove the folder under the other's feet.
 */
function takeClustersDown() {
  lastDown = lastDown.catch(() => {}).then(removeClusters);
  return lastDown;
}

/** What is kept is of no use without the clusters, and large. */
async function removeClusters() {
  if (existsSync(clustersData)) {
    await harness('down');
    await rm(clustersData, { recursive: true, force: true });
  }
}

/** @param {string[]} args */
function harness(...args) {
  return program(process.execPath, [CLUSTERS_CLI, ...args, '--data', clustersData]);
}

/**
 * Runs a program, shows what it says on the way, and answers its output.
 *
 * @param {string} command
 * @param {string[]} args
 */
async function program(command, args) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', chunk => {
    output += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) {
    throw new Error(`${command} ${args.join(' ')}: ended with exit code ${code}`);
  }
  return output;
}
