import { ClusterError } from '../errors/ClusterError';
import { listAll } from '../listAll';
import type { ClusterClient } from '../types';
import { sumRequests, type Amounts } from './podRequests';
import { summarizeNodes, type NodeSummary } from './summarizeNodes';

export interface ProbeOptions {
  timeoutMilliseconds: number;
  /** Also read the pods, which is dear on a large cluster. */
  withUsage: boolean;
  signal: AbortSignal;
}

/** What one look at a cluster found. Parts that the identity may not read are undefined, never 0 (C40). */
export interface ProbeAnswer extends Partial<NodeSummary> {
  kubernetesVersion?: string;
  requested?: Amounts;
  /** What may not be read, for a person. */
  message?: string;
}

/**
 * Asks a cluster how it is.
 *
 * @throws ClusterError when it does not answer, or refuses us altogether
 */
export async function probeCluster(
  client: Pick<ClusterClient, 'request'>,
  options: ProbeOptions,
): Promise<ProbeAnswer> {
  const { timeoutMilliseconds, signal } = options;
  const { body } = await client.request<{ gitVersion?: unknown }>({
    method: 'GET',
    path: '/version',
    subject: 'version',
    timeoutMilliseconds,
    signal,
  });
  const answer: ProbeAnswer = {
    kubernetesVersion: typeof body?.gitVersion === 'string' ? body.gitVersion : undefined,
  };
  const notes: (string | undefined)[] = [];
  notes.push(
    await unlessForbidden(async () => {
      const nodes = await listAll(client, { path: '/api/v1/nodes', timeoutMilliseconds, signal });
      Object.assign(answer, summarizeNodes(nodes.items));
    }),
  );
  if (options.withUsage) {
    notes.push(
      await unlessForbidden(async () => {
        const pods = await listAll(client, {
          path: '/api/v1/pods',
          fieldSelector: 'status.phase!=Succeeded,status.phase!=Failed',
          timeoutMilliseconds,
          signal,
        });
        answer.requested = sumRequests(pods.items);
      }),
    );
  }
  const told = notes.filter(note => note !== undefined);
  return told.length > 0 ? { ...answer, message: told.join(' ') } : answer;
}

/** An identity may release without seeing nodes; that part stays unknown and says why. */
async function unlessForbidden(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof ClusterError && error.kind === 'forbidden') {
      return error.message;
    }
    throw error;
  }
}
