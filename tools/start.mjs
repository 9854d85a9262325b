/**
 * `npm start`: brings what is needed, then Backstage, real clusters and a first
 * release. All of it ends with this process, however that ends.
 */
import { fileURLToPath } from 'node:url';
import { stopAll, stopAllOnSignals } from './run.mjs';
import { Stages } from './stages.mjs';
import { canHaveClusters, endClusters } from './start/controlPlanes.mjs';
import { dataPaths, giveDataFolderBack, takeDataFolder } from './start/dataFolder.mjs';
import { helpText, readFlags } from './start/flags.mjs';
import { openFrontDoor } from './start/frontDoor.mjs';
import { checkPorts } from './start/ports.mjs';
import { runStart, stagesOf } from './start/runStart.mjs';
import { StartError } from './start/StartError.mjs';
import { startGuard } from './start/startGuard.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Whoever presses Ctrl-C wants an end; the backend gives its leases back first of all. */
const GRACE_MILLISECONDS = 4_000;
/** What a killed start left may take so long to end. */
const LEFTOVER_MILLISECONDS = 10_000;

let isEnding = false;
/** @type {(() => Promise<void>)[]} */
const putAway = [];

main().catch(async error => {
  // What fails because we end it is no news.
  if (!isEnding) {
    console.error(error instanceof StartError ? error.message : error);
    await end();
    process.exit(1);
  }
});

async function main() {
  const flags = readFlags(process.argv.slice(2), {
    root: ROOT,
    // npm runs us in the root of the repository, wherever it was called.
    workingFolder: process.env.INIT_CWD ?? process.cwd(),
  });
  if (flags.help) {
    process.stdout.write(helpText());
    return;
  }
  const clusters = await takePlaces(flags);
  const door = await openFrontDoor(flags);
  putAway.push(door.close);
  const stages = new Stages(stagesOf(clusters), line => {
    console.log(line);
    door.tell(line);
  });
  if (clusters.kind !== flags.clusters.kind) {
    stages.say('Go 1.26 or newer was not found; the start goes on without clusters');
  }
  await runStart({ root: ROOT, flags, clusters, stages, door });
}

/**
 * Makes sure that nobody else uses the folder and the ports, and that nothing
 * that we start outlives us.
 *
 * @param {import('./start/flags.mjs').Flags} flags
 * @returns {Promise<import('./start/flags.mjs').ClusterChoice>} what of the flags can be had
 */
async function takePlaces({ port, backendPort, data, clusters }) {
  const { endedCleanly } = await takeDataFolder(data);
  putAway.push(() => giveDataFolderBack(data));
  const ports = [
    { flag: '--port', port },
    { flag: '--backend-port', port: backendPort },
  ];
  await checkPorts(ports, { patienceMilliseconds: endedCleanly ? 0 : LEFTOVER_MILLISECONDS });
  startGuard();
  stopAllOnSignals(async () => {
    console.log('Ending everything that was started');
    await end();
    console.log('Everything that was started has ended');
  }, GRACE_MILLISECONDS);
  const clusterFolder = dataPaths(data).clusters;
  if (!endedCleanly) {
    // Else whoever ends the clusters of the killed start would end ours.
    await endClusters(clusterFolder);
  }
  putAway.push(() => endClusters(clusterFolder));
  return clusters.kind === 'dev' && !canHaveClusters() ? { kind: 'none' } : clusters;
}

async function end() {
  isEnding = true;
  await Promise.all([stopAll(GRACE_MILLISECONDS), ...putAway.map(each => each())]);
}
