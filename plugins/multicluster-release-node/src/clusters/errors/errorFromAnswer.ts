import type { ClusterErrorCause, ClusterErrorKind } from '../types';
import { ClusterError } from './ClusterError';

/** The longest text of an API server that we repeat, in characters. */
const TEXT_LIMIT = 1_000;

const KIND_OF_STATUS: Record<number, ClusterErrorKind> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'notFound',
  408: 'timeout',
  409: 'conflict',
  410: 'gone',
  429: 'throttled',
  504: 'timeout',
};

const ADVICE: Record<ClusterErrorKind, string> = {
  unreachable: 'Check that the API server runs and that its address is right.',
  timeout: 'Check the network to this cluster and the load of its API server.',
  aborted: 'The request was given up on our side.',
  unauthorized: 'Renew the credentials in multiclusterRelease.clusters or in the kubeconfig.',
  forbidden: 'Grant this to the identity that Multicluster Release uses on this cluster.',
  notFound: 'Check that it exists and that the cluster serves this kind.',
  conflict: 'Read the live object again and decide on what it shows now.',
  gone: 'List again.',
  invalid: 'Correct the object; the same request will be refused again.',
  throttled: 'Try again later.',
  server: 'Try again; if it stays, look into the log of the API server.',
  refusedByConfiguration: 'An administrator can allow it in multiclusterRelease.allow.',
};

export interface AnswerContext {
  cluster: string;
  method: string;
  subject: string;
  /** The answer may quote Secret values: nothing of its text is repeated (C14). */
  secret: boolean;
}

interface StatusBody {
  kind?: unknown;
  message?: unknown;
  reason?: unknown;
  details?: { causes?: unknown; retryAfterSeconds?: unknown };
  /** Backstage's own errors, where the kubernetes plugin answers for the cluster. */
  error?: { name?: unknown; message?: unknown };
}

/** Puts a message together: cluster, object, what happened, what to do. */
export function clusterMessage(
  context: { cluster: string; subject: string },
  what: string,
  kind: ClusterErrorKind,
): string {
  const sentence = /[.!?]$/.test(what) ? what : `${what}.`;
  return `${context.cluster}: ${context.subject}: ${sentence} ${ADVICE[kind]}`;
}

/** Turns an answer of 400 and above into our error. */
export function errorFromAnswer(
  context: AnswerContext,
  status: number,
  body: unknown,
  headers: Record<string, string>,
): ClusterError {
  const answer: StatusBody = typeof body === 'object' && body !== null ? body : {};
  const kind = kindOfAnswer(status, answer);
  const reason = answer.kind === 'Status' ? text(answer.reason) : undefined;
  const causes = causesOf(answer, context.secret);
  return new ClusterError({
    cluster: context.cluster,
    kind,
    status,
    reason,
    causes,
    retryAfterSeconds: retryAfterSeconds(answer, headers),
    message: clusterMessage(
      context,
      `${context.method} answered ${status}${reason ? ` ${reason}` : ''}${quote(
        context,
        answer,
        body,
        causes,
      )}`,
      kind,
    ),
  });
}

function kindOfAnswer(status: number, answer: StatusBody): ClusterErrorKind {
  // The kubernetes plugin answers 500 in Backstage's form when it cannot reach the cluster.
  if (status >= 500 && answer.kind !== 'Status' && answer.error) {
    return 'unreachable';
  }
  return KIND_OF_STATUS[status] ?? (status >= 500 ? 'server' : 'invalid');
}

function quote(
  context: AnswerContext,
  answer: StatusBody,
  body: unknown,
  causes: ClusterErrorCause[],
): string {
  if (context.secret) {
    const fields = causes.map(cause => cause.field).filter(field => field !== undefined);
    return fields.length > 0
      ? ` at ${fields.join(', ')} (the text is withheld because this is a Secret)`
      : ' (the text is withheld because this is a Secret)';
  }
  const quoted = text(answer.message) ?? text(answer.error?.message) ?? text(body);
  return quoted ? `: ${quoted.trim().slice(0, TEXT_LIMIT)}` : '';
}

function causesOf(answer: StatusBody, secret: boolean): ClusterErrorCause[] {
  const causes = answer.details?.causes;
  if (!Array.isArray(causes)) {
    return [];
  }
  return causes.map(cause => {
    const reason = text(cause?.reason);
    // A field manager conflict names the manager and no value.
    const tellable = !secret || reason === 'FieldManagerConflict';
    return {
      field: text(cause?.field),
      reason,
      message: tellable ? text(cause?.message)?.slice(0, TEXT_LIMIT) : undefined,
    };
  });
}

function retryAfterSeconds(
  answer: StatusBody,
  headers: Record<string, string>,
): number | undefined {
  const seconds = Number(answer.details?.retryAfterSeconds ?? headers['retry-after']);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
