import { StringDecoder } from 'node:string_decoder';
import type { KubernetesObject } from '../../ports';

export interface WatchEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  object: KubernetesObject;
}

/** The longest line that we take, in characters; an object is at most a few MiB. */
const LINE_LIMIT = 32 * 1024 * 1024;

/**
 * Reads the events of a watch: JSON, one on each line, cut into chunks anywhere.
 *
 * @throws Error for a line that is no event; its text is not repeated, it may be a Secret
 */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<WatchEvent> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.write(Buffer.from(chunk))).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.trim() !== '') {
        yield parseEvent(line);
      }
    }
    if (rest.length > LINE_LIMIT) {
      throw new Error(`the watch sent a line of more than ${LINE_LIMIT} characters`);
    }
  }
}

function parseEvent(line: string): WatchEvent {
  try {
    const event = JSON.parse(line);
    if (typeof event?.type === 'string' && typeof event?.object === 'object') {
      return event;
    }
  } catch {
    // Said below.
  }
  throw new Error('the watch sent a line that is no event');
}
