import type { ApiResource, ClusterClient } from '../../clusters/types';
import type { KubernetesObject, ObjectId } from '../../ports';
import { ClusterError } from '../../clusters/errors/ClusterError';
import { describeObject } from '../objectId';

/** Where one object is served. */
export function pathOf(resource: ApiResource, id: Pick<ObjectId, 'namespace' | 'name'>): string {
  return `${collectionOf(resource, id.namespace)}/${id.name}`;
}

/** Where the objects of one kind are listed, in one namespace where the kind has them. */
export function collectionOf(
  { namespaced, pathPrefix, plural }: ApiResource,
  namespace?: string,
): string {
  return namespaced && namespace !== undefined
    ? `${pathPrefix}/namespaces/${namespace}/${plural}`
    : `${pathPrefix}/${plural}`;
}

/** The live object; undefined where there is none. */
export async function readObject(
  client: ClusterClient,
  resource: ApiResource,
  id: ObjectId,
  signal?: AbortSignal,
): Promise<KubernetesObject | undefined> {
  try {
    const { body } = await client.request<KubernetesObject>({
      method: 'GET',
      path: pathOf(resource, id),
      subject: describeObject(id),
      signal,
    });
    return body;
  } catch (error) {
    if (error instanceof ClusterError && error.kind === 'notFound') {
      return undefined;
    }
    throw error;
  }
}
