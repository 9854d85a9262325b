import pLimit from 'p-limit';
import type { ApiResource, ClusterClient } from '../clusters/types';
import type { KubernetesObject } from '../ports';
import { REQUESTS_AT_ONCE } from './DeliveryDependencies';
import {
  isScaled,
  readScaledObjects,
  scaledByContent,
  type ScaledObject,
} from './live/autoscalers';
import { readObject } from './live/readObject';
import { idKey, idOf } from './objectId';

/** What is there now of what a content brings. */
export interface TargetReading {
  /** By idKey; a kind that the cluster does not serve (yet) is missing. */
  resources: Map<string, ApiResource>;
  /** By idKey. */
  live: Map<string, KubernetesObject>;
  scaled: ScaledObject[];
}

/** @throws ClusterError */
export async function readTarget(
  client: ClusterClient,
  objects: KubernetesObject[],
  signal?: AbortSignal,
): Promise<TargetReading> {
  const limit = pLimit(REQUESTS_AT_ONCE);
  const reading: TargetReading = {
    resources: new Map(),
    live: new Map(),
    scaled: [],
  };
  const reads = objects.map(object =>
    limit(async () => {
      const id = idOf(object);
      const resource = await client.resource(id.apiVersion, id.kind);
      if (!resource) {
        return;
      }
      reading.resources.set(idKey(id), resource);
      const live = await readObject(client, resource, id, signal);
      if (live) {
        reading.live.set(idKey(id), live);
      }
    }),
  );
  const [scaled] = await Promise.all([limit(() => readScaled(client, objects, signal)), ...reads]);
  reading.scaled = scaled;
  return reading;
}

/** Autoscalers are asked for only where something has a replica count. */
async function readScaled(
  client: ClusterClient,
  objects: KubernetesObject[],
  signal?: AbortSignal,
): Promise<ScaledObject[]> {
  const coming = scaledByContent(objects);
  const scalable = objects.filter(object => isScalable(object) && !isScaled(object, coming));
  const namespaces = [
    ...new Set(
      scalable.map(object => object.metadata.namespace).filter(name => name !== undefined),
    ),
  ];
  return namespaces.length === 0
    ? coming
    : [...coming, ...(await readScaledObjects(client, namespaces, signal))];
}

const SCALED_KINDS = new Set(['Deployment', 'StatefulSet', 'ReplicaSet', 'ReplicationController']);

function isScalable({ kind, spec }: KubernetesObject): boolean {
  return (
    SCALED_KINDS.has(kind) || (typeof spec === 'object' && spec !== null && 'replicas' in spec)
  );
}
