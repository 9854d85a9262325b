import { subscribe } from 'node:diagnostics_channel';
import { constants, type ClientHttp2Stream, type IncomingHttpHeaders } from 'node:http2';

/** Published for every stream of an HTTP/2 client: those that were asked for, and those that were not. */
interface CreatedStream {
  stream: ClientHttp2Stream;
  /** Of the request; of the answer where nobody asked. */
  headers: IncomingHttpHeaders;
}

let subscribed = false;

/**
 * Ends answers of HTTP/2 that nobody waits for. A request that is given up in the
 * moment in which it is sent is forgotten by Node, and answered by the server all
 * the same: Node makes a new stream of such an answer. Nobody reads it, so it uses
 * up what the whole connection may receive, and when the connection breaks its
 * error would have no listener and would end the process.
 *
 * Once for the process; where Node does not tell of streams it has no effect.
 */
export function endStrayStreams(): void {
  if (!subscribed) {
    subscribed = true;
    subscribe('http2.client.stream.created', message => endIfStray(message as CreatedStream));
  }
}

function endIfStray({ stream, headers }: CreatedStream): void {
  if (headers?.[constants.HTTP2_HEADER_STATUS] === undefined) {
    return;
  }
  stream.on('error', () => {});
  // Not while Node still sets it up.
  setImmediate(() => {
    stream.close(constants.NGHTTP2_CANCEL);
    stream.destroy();
  });
}
