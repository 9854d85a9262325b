import { ClusterError } from '../errors/ClusterError';
import { concernsSecrets, describeSubject } from '../errors/describeSubject';
import { errorFromAnswer } from '../errors/errorFromAnswer';
import { RequestDeadlineError, errorFromFailure } from '../errors/errorFromFailure';
import { readAnswer } from '../readAnswer';
import { requestPath } from '../requestPath';
import { sendAndRenew } from '../sendRequest';
import type { Timing } from '../Timing';
import type { Transport, TransportAnswer } from '../transport/types';
import type { WatchOptions } from '../types';
import type { ListWatchSource, StreamEnd } from './ListWatch';
import { readEvents } from './readEvents';
import { OvertimeError, SILENCE_MILLISECONDS, SilenceError, StreamGuard } from './StreamGuard';

const SHORTEST_STREAM_SECONDS = 240;
const STREAM_SPREAD_SECONDS = 60;
/** A server that does not end a stream when it was asked to is not waited for longer. */
const OVERTIME_MILLISECONDS = 15_000;

export interface StreamContext {
  cluster: string;
  transport: Transport;
  timing: Timing;
}

type Listener = Parameters<ListWatchSource['stream']>[1];

/** Watches a collection from a resourceVersion until the stream ends, in whatever way. Throws nothing. */
export async function openStream(
  context: StreamContext,
  options: Pick<WatchOptions, 'path' | 'labelSelector' | 'fieldSelector'>,
  resourceVersion: string,
  listener: Listener,
  signal: AbortSignal,
): Promise<StreamEnd> {
  const timeoutSeconds =
    SHORTEST_STREAM_SECONDS + Math.floor(context.timing.random() * STREAM_SPREAD_SECONDS);
  const guard = new StreamGuard(
    context.timing,
    timeoutSeconds * 1_000 + OVERTIME_MILLISECONDS,
    signal,
  );
  const naming = {
    cluster: context.cluster,
    method: 'watch',
    subject: describeSubject(options.path),
  };
  try {
    const { path, labelSelector, fieldSelector } = options;
    const query = { labelSelector, fieldSelector, resourceVersion, timeoutSeconds };
    const answer = await sendAndRenew(context.transport, {
      method: 'GET',
      path: requestPath(path, { watch: true, allowWatchBookmarks: true, ...query }),
      headers: { accept: 'application/json' },
      stream: true,
      // A second net under our own timer.
      silenceMilliseconds: SILENCE_MILLISECONDS + OVERTIME_MILLISECONDS,
      signal: guard.signal,
    });
    const secret = concernsSecrets(path, undefined);
    if (answer.status !== 200) {
      const body = await readAnswer(answer.body, answer.headers['content-type']);
      throw errorFromAnswer({ ...naming, secret }, answer.status, body, answer.headers);
    }
    return await follow(answer, { ...naming, secret }, listener, guard);
  } catch (failure) {
    return endOf(failure, naming, guard);
  } finally {
    guard.clear();
  }
}

async function follow(
  answer: TransportAnswer,
  naming: { cluster: string; method: string; subject: string; secret: boolean },
  listener: Listener,
  guard: StreamGuard,
): Promise<StreamEnd> {
  try {
    for await (const { type, object } of readEvents(heard(answer.body, listener, guard))) {
      if (type === 'ERROR') {
        const { code } = object as { code?: unknown };
        throw errorFromAnswer(naming, typeof code === 'number' ? code : 500, object, {});
      }
      if (type !== 'BOOKMARK') {
        listener.onObject(type === 'DELETED' ? 'remove' : 'put', object);
      }
    }
    return { how: 'closed' };
  } finally {
    answer.discard();
  }
}

async function* heard(
  body: AsyncIterable<Uint8Array>,
  listener: Listener,
  guard: StreamGuard,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    guard.heard();
    listener.onHeard();
    yield chunk;
  }
}

function endOf(
  failure: unknown,
  naming: { cluster: string; method: string; subject: string },
  guard: StreamGuard,
): StreamEnd {
  if (failure instanceof ClusterError && failure.kind === 'gone') {
    return { how: 'expired', error: failure };
  }
  const { reason } = guard.signal;
  if (reason instanceof OvertimeError) {
    return { how: 'closed' };
  }
  if (reason instanceof SilenceError) {
    const error = errorFromFailure(naming, new RequestDeadlineError(SILENCE_MILLISECONDS));
    return { how: 'silent', error };
  }
  return { how: 'failed', error: errorFromFailure({ ...naming, signal: guard.signal }, failure) };
}
