import { CredentialError } from '../transport/types';
import type { ClusterErrorKind } from '../types';
import { ClusterError } from './ClusterError';
import { clusterMessage } from './errorFromAnswer';

export const TIMEOUT_CODES = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
]);

export const CERTIFICATE_CODE = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ALTNAME/;

/** Why a request ended without an answer of the API server. */
export class RequestDeadlineError extends Error {
  constructor(readonly milliseconds: number) {
    super(`no complete answer within ${milliseconds / 1_000} s`);
  }
}

export interface FailureContext {
  cluster: string;
  method: string;
  subject: string;
  /** The caller's own signal; when it is aborted, the failure is not the cluster's. */
  signal?: AbortSignal;
}

/** Turns what a transport threw into our error; an error of ours stays as it is. */
export function errorFromFailure(context: FailureContext, failure: unknown): ClusterError {
  if (failure instanceof ClusterError) {
    return failure;
  }
  const kind = kindOfFailure(context, failure);
  return new ClusterError({
    cluster: context.cluster,
    kind,
    message: clusterMessage(context, `${context.method} ${describe(kind, failure)}`, kind),
  });
}

function kindOfFailure(context: FailureContext, failure: unknown): ClusterErrorKind {
  if (context.signal?.aborted) {
    return 'aborted';
  }
  if (failure instanceof CredentialError) {
    return 'unauthorized';
  }
  if (failure instanceof RequestDeadlineError || TIMEOUT_CODES.has(codeOf(failure))) {
    return 'timeout';
  }
  return 'unreachable';
}

function describe(kind: ClusterErrorKind, failure: unknown): string {
  const code = codeOf(failure);
  if (kind === 'aborted') {
    return 'was given up before its answer came';
  }
  if (CERTIFICATE_CODE.test(code)) {
    return `found a certificate that is not trusted (${code}): caFile or caData must hold the authority that signed it`;
  }
  const message = failure instanceof Error ? failure.message : 'failed';
  return message.includes(code) ? `failed: ${message}` : `failed: ${message} (${code})`;
}

/** Node puts the codes of all tried addresses into an AggregateError. */
export function codeOf(failure: unknown): string {
  const { code, errors, cause } = (failure ?? {}) as {
    code?: unknown;
    errors?: unknown[];
    cause?: unknown;
  };
  if (typeof code === 'string') {
    return code;
  }
  if (Array.isArray(errors) && errors.length > 0) {
    return codeOf(errors[0]);
  }
  return cause ? codeOf(cause) : '';
}
