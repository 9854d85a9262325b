import assert from 'node:assert/strict';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { once } from 'node:events';
import { it } from 'node:test';
import { chooseFreePort } from '../lib/ports.mjs';
import { temporaryFolder } from './support.mjs';

it('a port belongs to one data folder for as long as that is there', async test => {
  process.env.MULTICLUSTER_RELEASE_CACHE = temporaryFolder(test);
  const [one, two, three] = Array.from({ length: 3 }, () => dataFolder(test));
  const range = { first: 19_990, last: 19_991 };
  const ports = [await chooseFreePort(one, range), await chooseFreePort(two, range)];
  assert.deepEqual([...ports].sort(), [19_990, 19_991]);
  await assert.rejects(chooseFreePort(three, range), /ports 19990 to 19991: no free one found/);

  fs.rmSync(one, { recursive: true });
  assert.equal(await chooseFreePort(three, range), ports[0]);
});

it('a port that somebody listens on is not taken', async test => {
  process.env.MULTICLUSTER_RELEASE_CACHE = temporaryFolder(test);
  const server = net.createServer().listen(0, '127.0.0.1');
  test.after(() => server.close());
  await once(server, 'listening');
  const { port } = /** @type {net.AddressInfo} */ (server.address());
  await assert.rejects(
    chooseFreePort(dataFolder(test), { first: port, last: port }),
    /no free one found/,
  );
});

/** @param {import('node:test').TestContext} test */
function dataFolder(test) {
  const folder = temporaryFolder(test);
  fs.writeFileSync(path.join(folder, 'state.json'), '{}');
  return folder;
}
