import { request as httpsRequest } from 'node:https';

/**
 * One request to an API server, TLS verified against the harness's authority.
 * @param {{port: number, token: string, ca: string, path: string, method?: string, body?: unknown, timeoutMilliseconds?: number}} options
 * @returns {Promise<{status: number, body: any}>}
 */
export function request({ port, token, ca, path, method = 'GET', body, timeoutMilliseconds = 3_000 }) {
  return new Promise((resolve, reject) => {
    const sent = httpsRequest(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        ca,
        agent: false,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      },
      response => {
        let text = '';
        response.on('data', chunk => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: parse(text) }));
      },
    );
    sent.setTimeout(timeoutMilliseconds, () => sent.destroy(new Error(`no answer within ${timeoutMilliseconds} ms`)));
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
