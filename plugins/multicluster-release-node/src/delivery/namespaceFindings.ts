import type { Finding } from 'backstage-plugin-multicluster-release-common';
import type { ClusterClient } from '../clusters/types';
import { ClusterError } from '../clusters/errors/ClusterError';
import type { KubernetesObject } from '../ports';
import { readObject } from './live/readObject';

/** Namespaces that the content needs and that neither are there nor come with it. */
export async function namespaceFindings(
  client: ClusterClient,
  objects: KubernetesObject[],
  signal?: AbortSignal,
): Promise<Finding[]> {
  const coming = objects
    .filter(({ kind }) => kind === 'Namespace')
    .map(({ metadata }) => metadata.name);
  const needed = [...new Set(objects.map(({ metadata }) => metadata.namespace))].filter(
    name => name !== undefined && !coming.includes(name),
  ) as string[];
  const found = await Promise.all(needed.map(name => isMissing(client, name, signal)));
  return needed.filter((_, index) => found[index]).map(name => missing(client.name, name));
}

/** An identity that may not read namespaces learns from the dry run instead. */
async function isMissing(
  client: ClusterClient,
  name: string,
  signal?: AbortSignal,
): Promise<boolean> {
  const resource = await client.resource('v1', 'Namespace');
  if (!resource) {
    return false;
  }
  try {
    return (
      (await readObject(
        client,
        resource,
        { apiVersion: 'v1', kind: 'Namespace', name },
        signal,
      )) === undefined
    );
  } catch (error) {
    if (error instanceof ClusterError && error.kind === 'forbidden') {
      return false;
    }
    throw error;
  }
}

function missing(cluster: string, namespace: string): Finding {
  return {
    severity: 'error',
    code: 'NamespaceMissing',
    params: { cluster, namespace },
    message: `${cluster}: Namespace/${namespace}: is not there. Create it, or add its manifest to the content.`,
    cluster,
  };
}
