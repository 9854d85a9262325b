/**
 * A process that outlives the start, however that ends, and ends what it left
 * behind. It is told the process groups on its input, `start <group>` and
 * `end <group>`; the input closes when whoever writes to it is gone.
 */
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const GRACE_MILLISECONDS = 4_000;
const LOOK_AGAIN_MILLISECONDS = 100;

/** @type {Set<number>} */
const groups = new Set();

// A signal for the whole terminal is not meant for the one who cleans up.
for (const name of ['SIGINT', 'SIGHUP', 'SIGTERM']) {
  process.on(name, () => {});
}
for await (const line of createInterface({ input: process.stdin })) {
  const [what, group] = line.split(' ');
  if (what === 'start') {
    groups.add(Number(group));
  } else {
    groups.delete(Number(group));
  }
}
await endGroups();

async function endGroups() {
  const giveUpAt = Date.now() + GRACE_MILLISECONDS;
  groups.forEach(group => signal(group, 'SIGTERM'));
  while ([...groups].some(isThere) && Date.now() < giveUpAt) {
    await sleep(LOOK_AGAIN_MILLISECONDS);
  }
  groups.forEach(group => signal(group, 'SIGKILL'));
}

/** @param {number} group */
function isThere(group) {
  return signal(group, 0);
}

/** @param {number} group @param {NodeJS.Signals | 0} name */
function signal(group, name) {
  try {
    return process.kill(-group, name);
  } catch {
    return false;
  }
}
