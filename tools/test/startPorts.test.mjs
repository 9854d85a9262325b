import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { after, describe, it } from 'node:test';
import { openFrontDoor } from '../start/frontDoor.mjs';
import { checkPorts } from '../start/ports.mjs';
import { freePorts } from './freePorts.mjs';

/** @type {import('node:http').Server[]} */
const servers = [];
after(() => servers.forEach(server => server.close()));

/** @param {import('node:http').RequestListener} [listener] @param {string} [host] */
async function serve(listener, host = '127.0.0.1') {
  const server = createServer(listener);
  servers.push(server);
  server.listen(0, host);
  await once(server, 'listening');
  return /** @type {import('node:net').AddressInfo} */ (server.address()).port;
}

describe('checkPorts', () => {
  it('names in one line what is taken, and the flag for another', async () => {
    const taken = await serve();
    const [free] = await freePorts(1);
    const wanted = [
      { flag: '--port', port: taken },
      { flag: '--backend-port', port: free },
    ];
    await assert.rejects(checkPorts(wanted), {
      name: 'StartError',
      message: `Port ${taken} is used by another program; end that one, or choose another port with --port <number>`,
    });
    await checkPorts(wanted.slice(1));
  });

  it('names both where both are taken', async () => {
    const [one, other] = [await serve(), await serve()];
    await assert.rejects(
      checkPorts([
        { flag: '--port', port: one },
        { flag: '--backend-port', port: other },
      ]),
      { message: new RegExp(`^Ports ${one} and ${other} .*--port .* and --backend-port `) },
    );
  });

  it('waits for one that is just ending, where it is told to', async () => {
    const port = await serve();
    const free = checkPorts([{ flag: '--port', port }], { patienceMilliseconds: 30_000 });
    servers.at(-1)?.close();
    await free;
  });
});

describe('the front door', () => {
  it('says how far the start is, then passes on to the backend', async () => {
    const backendPort = await serve((incoming, outgoing) => {
      outgoing.writeHead(201, { 'x-path': incoming.url });
      incoming.pipe(outgoing);
    });
    const [port] = await freePorts(1);
    const door = await openFrontDoor({ port, backendPort });
    const address = `http://127.0.0.1:${port}`;

    door.tell('installation <starts>');
    const before = await fetch(address);
    assert.equal(before.status, 503);
    assert.equal(before.headers.get('refresh'), '2');
    assert.match(await before.text(), /<li>installation &lt;starts><\/li>/);

    door.open();
    const passed = await fetch(`${address}/a?b=c`, { method: 'POST', body: 'hello' });
    assert.equal(passed.status, 201);
    assert.equal(passed.headers.get('x-path'), '/a?b=c');
    assert.equal(await passed.text(), 'hello');

    await door.close();
    await assert.rejects(fetch(address));
  });

  it('says so while the backend does not answer', async () => {
    const [port, backendPort] = await freePorts(2);
    const door = await openFrontDoor({ port, backendPort });
    door.open();
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    assert.equal(answer.status, 502);
    await door.close();
  });
});
