import { ClusterError } from '../clusters/errors/ClusterError';
import type { KubernetesObject, Outcome } from '../ports';
import { FenceClosedError } from './live/FenceClosedError';
import { isSchemaRefusal } from './live/refusals';
import { redactMessage } from './redact/redactMessage';

/**
 * What a failed request means for the effect. Unknown stays unknown: credentials
 * that are not accepted say nothing about the content, so they are no refusal.
 *
 * @param content - objects whose Secret values must not be repeated
 */
export function outcomeOfError(error: unknown, content: KubernetesObject[]): Outcome {
  if (error instanceof FenceClosedError) {
    return { result: 'leaseLost', message: error.message };
  }
  if (!(error instanceof ClusterError)) {
    throw error;
  }
  const message = redactMessage(error.message, content);
  switch (error.kind) {
    case 'unreachable':
    case 'timeout':
    case 'unauthorized':
      return { result: 'unreachable', message };
    case 'aborted':
      return { result: 'leaseLost', message };
    case 'server':
      return isSchemaRefusal(error)
        ? { result: 'refused', message, reason: error.reason }
        : { result: 'retry', message };
    case 'conflict':
    case 'gone':
    case 'throttled':
      return { result: 'retry', message };
    case 'forbidden':
      return isTerminating(error) || lacksRights(error)
        ? { result: 'retry', message }
        : { result: 'refused', message, reason: error.reason };
    default:
      return { result: 'refused', message, reason: error.reason };
  }
}

/**
 * RBAC says no. A preview refuses that; later it may pass by itself: an API
 * server that has just come back denies everything until it knows its roles.
 */
function lacksRights(error: ClusterError): boolean {
  return /\bUser "[^"]*" cannot \w+ resource\b/.test(error.message);
}

/** A namespace that is just going away; it may be made again. */
function isTerminating(error: ClusterError): boolean {
  return error.causes.some(({ reason }) => reason === 'NamespaceTerminating');
}
