import { ClusterError } from './errors/ClusterError';
import { concernsSecrets, describeSubject } from './errors/describeSubject';
import { clusterMessage, errorFromAnswer } from './errors/errorFromAnswer';
import { errorFromFailure } from './errors/errorFromFailure';
import { AnswerError, readAnswer } from './readAnswer';
import { requestPath } from './requestPath';
import { startDeadline } from './startDeadline';
import type { Timing } from './Timing';
import type { Transport, TransportAnswer, TransportRequest } from './transport/types';
import type { ClusterRequest, ClusterResponse } from './types';

const DEFAULT_TIMEOUT_MILLISECONDS = 10_000;

export interface RequestContext {
  name: string;
  transport: Transport;
  timing: Pick<Timing, 'after'>;
}

/** Sends one request and reads its whole answer. @throws ClusterError */
export async function sendRequest(
  context: RequestContext,
  request: ClusterRequest,
): Promise<ClusterResponse> {
  const subject = request.subject ?? describeSubject(request.path);
  const naming = { cluster: context.name, method: request.method, subject };
  const timeout = request.timeoutMilliseconds ?? DEFAULT_TIMEOUT_MILLISECONDS;
  const deadline = startDeadline(context.timing, timeout, request.signal);
  try {
    const answer = await deadline.race(
      sendAndRenew(context.transport, toTransportRequest(request, timeout, deadline.signal)),
    );
    const body = await deadline.race(readAnswer(answer.body, answer.headers['content-type']));
    if (answer.status >= 400) {
      const secret = concernsSecrets(request.path, request.body);
      throw errorFromAnswer({ ...naming, secret }, answer.status, body, answer.headers);
    }
    return { status: answer.status, body, headers: answer.headers };
  } catch (failure) {
    if (failure instanceof AnswerError) {
      const message = clusterMessage(naming, `${request.method} ${failure.message}`, 'server');
      throw new ClusterError({ cluster: context.name, kind: 'server', message });
    }
    throw errorFromFailure({ ...naming, signal: request.signal }, failure);
  } finally {
    deadline.clear();
  }
}

/** A 401 did nothing on the cluster, so one more try with newer credentials is safe for every method. */
export async function sendAndRenew(
  transport: Transport,
  request: TransportRequest,
): Promise<TransportAnswer> {
  const answer = await transport.send(request);
  if (answer.status !== 401) {
    return answer;
  }
  let renewed: boolean;
  try {
    renewed = await answer.renew();
  } catch (error) {
    answer.discard();
    throw error;
  }
  if (!renewed) {
    return answer;
  }
  answer.discard();
  return transport.send(request);
}

function toTransportRequest(
  request: ClusterRequest,
  timeoutMilliseconds: number,
  signal: AbortSignal,
): TransportRequest {
  const headers: Record<string, string> = { accept: 'application/json', ...request.headers };
  let body: string | undefined;
  if (request.body !== undefined) {
    headers['content-type'] = request.contentType ?? 'application/json';
    body = typeof request.body === 'string' ? request.body : JSON.stringify(request.body);
  }
  return {
    method: request.method,
    path: requestPath(request.path, request.query),
    headers,
    body,
    stream: false,
    silenceMilliseconds: timeoutMilliseconds,
    signal,
  };
}
