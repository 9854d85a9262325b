import { randomInt } from 'node:crypto';
import net from 'node:net';
import { HarnessError } from './errors.mjs';

/**
 * Ports are kept while a cluster is down. Below the range that systems use for
 * outgoing connections nobody is given one of them by chance in the meantime.
 */
const RANGE = { first: 20000, last: 32000 };

/**
 * @param {Set<number>} [taken] Ports given away already, though nothing listens there now.
 * @returns {Promise<number>}
 */
export async function chooseFreePort(taken = new Set()) {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = randomInt(RANGE.first, RANGE.last);
    if (!taken.has(port) && (await isFreePort(port))) {
      return port;
    }
  }
  throw new HarnessError(
    `ports ${RANGE.first} to ${RANGE.last}: no free one found; end what listens there`,
  );
}

/** @returns {Promise<boolean>} */
export function isFreePort(/** @type {number} */ port) {
  return new Promise(resolve => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
