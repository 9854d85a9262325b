import type { ApiResource, ClusterClient } from '../../clusters/types';
import type { KubernetesObject } from '../../ports';
import { collectionOf } from '../live/readObject';
import { resourceOfDefinition } from '../live/resourceOfDefinition';
import { SERVICE_LABEL } from '../names';
import { isTrackedWorkload, podTemplateOf } from '../podTemplate';
import { serviceLabel } from '../serviceLabel';
import { textAt } from '../json';

/** One list-and-watch. */
export interface Collection {
  path: string;
  labelSelector?: string;
  fieldSelector?: string;
}

export interface ObservedContent {
  collections: Collection[];
  /** True where a kind is not served (yet): the target is not complete, and discovery is asked again. */
  incomplete: boolean;
}

/**
 * What has to be watched to know how a content does: its objects, and the pods
 * and ReplicaSets of its workloads. Objects with our label are found by it, all
 * of a kind in one watch; others, such as recorded ones, by name.
 *
 * @throws ClusterError
 */
export async function collectionsOf(
  client: ClusterClient,
  objects: KubernetesObject[],
  target: { namespace: string; service: string },
): Promise<ObservedContent> {
  const collections = new Map<string, Collection>();
  let incomplete = false;
  for (const object of objects) {
    const { apiVersion, kind } = object;
    const resource =
      (await client.resource(apiVersion, kind)) ?? resourceOfDefinition(objects, apiVersion, kind);
    if (resource) {
      add(collections, collectionFor(resource, object, target.service));
    } else {
      incomplete = true;
    }
  }
  podCollections(objects, target).forEach(collection => add(collections, collection));
  return { collections: [...collections.values()], incomplete };
}

function add(collections: Map<string, Collection>, collection: Collection): void {
  collections.set(
    JSON.stringify([collection.path, collection.labelSelector, collection.fieldSelector]),
    collection,
  );
}

function collectionFor(
  resource: ApiResource,
  { metadata }: KubernetesObject,
  service: string,
): Collection {
  const path = collectionOf(resource, metadata.namespace);
  const label = serviceLabel(service);
  return metadata.labels?.[SERVICE_LABEL] === label
    ? { path, labelSelector: `${SERVICE_LABEL}=${label}` }
    : { path, fieldSelector: `metadata.name=${metadata.name}` };
}

/** Also where nothing is expected: the answer shows that the cluster is there. */
function podCollections(
  objects: KubernetesObject[],
  target: { namespace: string; service: string },
): Collection[] {
  const workloads = objects.filter(isTrackedWorkload);
  if (objects.length === 0) {
    return [podsIn(target.namespace, `${SERVICE_LABEL}=${serviceLabel(target.service)}`)];
  }
  return workloads.flatMap(workload => {
    const label = textAt(podTemplateOf(workload), 'metadata', 'labels', SERVICE_LABEL);
    const labelSelector = label === undefined ? undefined : `${SERVICE_LABEL}=${label}`;
    const namespace = workload.metadata.namespace ?? target.namespace;
    const replicaSets = {
      path: `/apis/apps/v1/namespaces/${namespace}/replicasets`,
      labelSelector,
    };
    return workload.kind === 'Deployment'
      ? [podsIn(namespace, labelSelector), replicaSets]
      : [podsIn(namespace, labelSelector)];
  });
}

function podsIn(namespace: string, labelSelector: string | undefined): Collection {
  return { path: `/api/v1/namespaces/${namespace}/pods`, labelSelector };
}
