import type { Dispatcher } from 'undici';
import type { TransportAnswer, TransportRequest } from './types';

/** Sends one request through a dispatcher; the one place that knows undici's shapes. */
export async function sendOver(
  dispatcher: Dispatcher,
  origin: string,
  request: TransportRequest,
): Promise<Omit<TransportAnswer, 'renew'>> {
  const { statusCode, headers, body } = await dispatcher.request({
    origin,
    path: request.path,
    method: request.method as Dispatcher.HttpMethod,
    headers: request.headers,
    body: request.body,
    headersTimeout: request.silenceMilliseconds,
    bodyTimeout: request.silenceMilliseconds,
    signal: request.signal,
  });
  // An answer may be given up between two reads; its error has then no other listener.
  body.on('error', () => {});
  return {
    status: statusCode,
    headers: flatten(headers),
    body,
    discard: () => {
      body.destroy();
    },
  };
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) {
      flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
    }
  }
  return flat;
}
