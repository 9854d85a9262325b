import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from './StartError.mjs';

/** A browser that opens `localhost` may take either, whoever listens there. */
const LOOPBACK = ['127.0.0.1', '::1'];
const LOOK_AGAIN_MILLISECONDS = 250;

/**
 * @param {{ flag: string, port: number }[]} wanted
 * @param {{ patienceMilliseconds?: number }} [options] how long they may still be in use by what is just ending
 * @throws {StartError} one line with every port that is taken and the flag that names another
 */
export async function checkPorts(wanted, { patienceMilliseconds = 0 } = {}) {
  const giveUpAt = Date.now() + patienceMilliseconds;
  for (;;) {
    const free = await Promise.all(wanted.map(({ port }) => isFree(port)));
    const taken = wanted.filter((_, index) => !free[index]);
    if (taken.length === 0) {
      return;
    }
    if (Date.now() >= giveUpAt) {
      throw new StartError(takenText(taken));
    }
    await sleep(LOOK_AGAIN_MILLISECONDS);
  }
}

/** @param {{ flag: string, port: number }[]} taken */
function takenText(taken) {
  const ports = taken.map(({ port }) => port).join(' and ');
  const flags = taken.map(({ flag }) => `${flag} <number>`).join(' and ');
  return taken.length === 1
    ? `Port ${ports} is used by another program; end that one, or choose another port with ${flags}`
    : `Ports ${ports} are used by other programs; end those, or choose other ports with ${flags}`;
}

/** @param {number} port */
async function isFree(port) {
  const free = await Promise.all(LOOPBACK.map(host => isFreeAt(host, port)));
  return free.every(Boolean);
}

/** @param {string} host @param {number} port @returns {Promise<boolean>} */
function isFreeAt(host, port) {
  return new Promise(found => {
    const server = createServer();
    // A machine without IPv6 has no ::1, and nobody can listen there.
    server.once('error', error =>
      found(/** @type {NodeJS.ErrnoException} */ (error).code !== 'EADDRINUSE'),
    );
    server.listen(port, host, () => server.close(() => found(true)));
  });
}
