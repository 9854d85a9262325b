/**
 * What answers at `--port`: the pages, which the backend serves at its own port,
 * and until they are there a page that says how far the start is.
 */
import { Agent, createServer, request } from 'node:http';
import { StartError } from './StartError.mjs';

const LOOK_AGAIN_SECONDS = 2;
const LINES_SHOWN = 12;

/**
 * @typedef {object} FrontDoor
 * @property {(line: string) => void} tell one more line for the page of the start
 * @property {() => void} open from now on the pages are shown
 * @property {() => Promise<void>} close
 */

/**
 * Listens on loopback only.
 *
 * @param {{ port: number, backendPort: number }} ports
 * @returns {Promise<FrontDoor>}
 */
export async function openFrontDoor({ port, backendPort }) {
  const agent = new Agent({ keepAlive: true });
  /** @type {string[]} */
  const lines = [];
  let isOpen = false;
  const server = createServer((incoming, outgoing) => {
    if (isOpen) {
      pass(incoming, outgoing, { backendPort, agent });
    } else {
      sendPage(outgoing, lines);
    }
  });
  await listen(server, port);
  return {
    tell: line => {
      lines.push(line);
      lines.splice(0, lines.length - LINES_SHOWN);
    },
    open: () => {
      isOpen = true;
    },
    close: () =>
      new Promise(closed => {
        server.close(() => closed());
        server.closeAllConnections();
        agent.destroy();
      }),
  };
}

/** @param {import('node:http').Server} server @param {number} port */
function listen(server, port) {
  return new Promise((resolve, reject) => {
    server.once('error', error =>
      reject(
        new StartError(
          `Port ${port} cannot be used (${
            /** @type {NodeJS.ErrnoException} */ (error).code
          }); choose another one with --port <number>`,
        ),
      ),
    );
    server.listen(port, '127.0.0.1', () => resolve(undefined));
  });
}

/**
 * @param {import('node:http').IncomingMessage} incoming
 * @param {import('node:http').ServerResponse} outgoing
 * @param {{ backendPort: number, agent: Agent }} to
 */
function pass(incoming, outgoing, { backendPort, agent }) {
  const { method, url, headers } = incoming;
  const onward = request(
    { host: '127.0.0.1', port: backendPort, method, path: url, headers, agent },
    answer => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    },
  );
  onward.once('error', () => {
    if (outgoing.headersSent) {
      outgoing.destroy();
    } else {
      outgoing.writeHead(502, { 'content-type': 'text/plain' });
      outgoing.end('The backend does not answer; see the terminal where npm start runs.\n');
    }
  });
  outgoing.once('close', () => onward.destroy());
  incoming.pipe(onward);
}

/** @param {import('node:http').ServerResponse} outgoing @param {string[]} lines */
function sendPage(outgoing, lines) {
  const list = lines.map(line => `<li>${escapeHtml(line)}</li>`).join('');
  // Not 200: whoever waits for the pages would take this for them.
  outgoing.writeHead(503, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'retry-after': LOOK_AGAIN_SECONDS,
    refresh: LOOK_AGAIN_SECONDS,
  });
  outgoing.end(
    `<!doctype html><html lang="en"><title>Multicluster Release is starting</title>
<body style="font: 16px/1.6 system-ui, sans-serif; margin: 4rem auto; max-width: 44rem">
<h1>Multicluster Release is starting</h1>
<p>This page turns into Backstage by itself. The first start takes some minutes.</p>
<ul>${list}</ul></body></html>
`,
  );
}

/** @param {string} text */
function escapeHtml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
