import type { ClusterClient, ClusterRequest } from '../../clusters/types';
import type { WriteFence } from '../../ports';
import { FenceClosedError } from './FenceClosedError';

/** How long one write may take; the fence must stay open for as long. */
export const WRITE_TIMEOUT_MILLISECONDS = 10_000;

/**
 * The only way in which delivery changes a cluster: the fence is asked right
 * before the request starts.
 *
 * @throws FenceClosedError, ClusterError
 */
export async function fencedWrite<T>(
  client: ClusterClient,
  fence: WriteFence,
  request: ClusterRequest & { subject: string },
): Promise<T> {
  if (fence.signal.aborted || !fence.mayWrite(WRITE_TIMEOUT_MILLISECONDS)) {
    throw new FenceClosedError(`${client.name}: ${request.subject}`);
  }
  const { body } = await client.request<T>({
    ...request,
    // So that the API server gives up when we do: what was accepted and slow must not land later.
    query: { ...request.query, timeout: `${WRITE_TIMEOUT_MILLISECONDS / 1000}s` },
    timeoutMilliseconds: WRITE_TIMEOUT_MILLISECONDS,
    signal: fence.signal,
  });
  return body;
}
