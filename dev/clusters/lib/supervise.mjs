import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { down } from './harness.mjs';
import { isAlive, startTime } from './processes.mjs';

/**
 * Starts a watcher that takes everything of the data folder down once the parent
 * is gone, however it ended: a killed parent cannot clean up after itself.
 */
export function superviseFor(parentPid, folder) {
  const startedAt = startTime(parentPid);
  if (startedAt === undefined) {
    throw new Error(`There is no process ${parentPid} to watch for (--parent-pid).`);
  }
  const watcher = spawn(process.execPath, [fileURLToPath(import.meta.url), String(parentPid), startedAt, folder], {
    detached: true,
    stdio: 'ignore',
  });
  watcher.unref();
}

async function watch(parentPid, startedAt, folder) {
  while (isAlive({ pid: parentPid, startedAt })) {
    await new Promise(resolve => setTimeout(resolve, 500));
  }
  await down(folder);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [pid, startedAt, folder] = process.argv.slice(2);
  await watch(Number(pid), startedAt, folder);
}
