import type { ApiResource, ClusterRequest } from '../../clusters/types';
import type { KubernetesObject } from '../../ports';
import { describeObject, idOf } from '../objectId';
import { pathOf } from './readObject';

/**
 * Server-side apply of raw JSON. An object that exists is applied with its uid
 * and resourceVersion, so that a stale writer is refused; a new one without
 * (an apply with a uid creates nothing).
 */
export function applyRequest(options: {
  resource: ApiResource;
  object: KubernetesObject;
  live: KubernetesObject | undefined;
  fieldManager: string;
  dryRun?: boolean;
}): ClusterRequest & { subject: string } {
  const { resource, object, live, fieldManager, dryRun } = options;
  const id = idOf(object);
  return {
    method: 'PATCH',
    path: pathOf(resource, id),
    query: { fieldManager, force: true, dryRun: dryRun ? 'All' : undefined },
    contentType: 'application/apply-patch+yaml',
    body: { ...object, metadata: metadataFor(resource, object, live) },
    subject: describeObject(id),
  };
}

function metadataFor(
  { namespaced }: ApiResource,
  { metadata }: KubernetesObject,
  live: KubernetesObject | undefined,
): KubernetesObject['metadata'] {
  const placed = { ...metadata };
  if (!namespaced) {
    delete placed.namespace;
  }
  const precondition = live && {
    uid: live.metadata.uid,
    resourceVersion: live.metadata.resourceVersion,
  };
  return { ...placed, ...precondition };
}
