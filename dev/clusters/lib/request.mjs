import https from 'node:https';

/**
 * @typedef {object} Target
 * @property {number} port On 127.0.0.1.
 * @property {Buffer} authority The CA that must have signed the server's certificate.
 * @property {string} [token]
 * @property {Buffer} [certificate] For servers that want one of the client, with its key.
 * @property {Buffer} [key]
 *
 * @typedef {object} Answer
 * @property {number} status
 * @property {any} body Parsed if it is JSON, else text.
 */

/**
 * One HTTPS request to a part of a cluster.
 *
 * @param {Target} target
 * @param {string} path
 * @param {object} [options]
 * @param {string} [options.method]
 * @param {string} [options.body]
 * @param {string} [options.contentType]
 * @param {number} [options.timeoutMilliseconds] For the whole of it: a frozen server still accepts connections.
 * @returns {Promise<Answer>}
 */
export function request(target, path, options = {}) {
  return new Promise((resolve, reject) => {
    const outgoing = https.request(
      {
        host: '127.0.0.1',
        port: target.port,
        path,
        method: options.method ?? 'GET',
        ca: target.authority,
        cert: target.certificate,
        key: target.key,
        agent: false,
        signal: AbortSignal.timeout(options.timeoutMilliseconds ?? 10_000),
        headers: {
          accept: 'application/json',
          ...(target.token && { authorization: `Bearer ${target.token}` }),
          ...(options.body && {
            'content-type': options.contentType ?? 'application/json',
            'content-length': Buffer.byteLength(options.body),
          }),
        },
      },
      incoming => {
        let text = '';
        incoming.setEncoding('utf8');
        incoming.on('data', chunk => (text += chunk));
        incoming.once('error', reject);
        incoming.once('end', () =>
          resolve({ status: incoming.statusCode ?? 0, body: parse(text) }),
        );
      },
    );
    outgoing.once('error', reject);
    outgoing.end(options.body);
  });
}

/**
 * The same, for asking again and again while a server starts.
 *
 * @param {Parameters<typeof request>} parameters
 * @returns {Promise<Answer | undefined>} Undefined if there is no answer, or a bad one.
 */
export async function tryRequest(...parameters) {
  try {
    const answer = await request(...parameters);
    return answer.status >= 200 && answer.status < 300 ? answer : undefined;
  } catch {
    return undefined;
  }
}

function parse(/** @type {string} */ text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
