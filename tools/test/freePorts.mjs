import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Ports of 127.0.0.1 that nobody listens on, each another one.
 *
 * @param {number} count
 * @returns {Promise<number[]>}
 */
export async function freePorts(count) {
  const servers = await Promise.all(Array.from({ length: count }, listen));
  const ports = servers.map(
    server => /** @type {import('node:net').AddressInfo} */ (server.address()).port,
  );
  await Promise.all(servers.map(server => once(server.close(), 'close')));
  return ports;
}

async function listen() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
