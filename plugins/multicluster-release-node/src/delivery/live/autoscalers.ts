import type { ClusterClient } from '../../clusters/types';
import type { KubernetesObject } from '../../ports';
import { listAt, numberAt, textAt } from '../json';
import { FIELD_MANAGER } from '../names';
import { groupOf } from '../objectId';
import { managedFieldsOf } from './managedFields';
import { predecessorsOf } from './takeOver';

/** What an autoscaler scales. */
export interface ScaledObject {
  group: string;
  kind: string;
  namespace: string;
  name: string;
}

/**
 * What autoscalers of these namespaces scale. A cluster without the kind has
 * none; a listing that is refused throws: "none" would reset counts (C06).
 */
export async function readScaledObjects(
  client: ClusterClient,
  namespaces: string[],
  signal?: AbortSignal,
): Promise<ScaledObject[]> {
  const resource = await client.resource('autoscaling/v2', 'HorizontalPodAutoscaler');
  if (!resource) {
    return [];
  }
  const lists = await Promise.all(
    namespaces.map(async namespace => {
      const { pathPrefix, plural } = resource;
      const path = `${pathPrefix}/namespaces/${namespace}/${plural}`;
      const { body } = await client.request({ method: 'GET', path, signal });
      return listAt(body, 'items').flatMap(item => scaledBy(item, namespace));
    }),
  );
  return lists.flat();
}

/** What the autoscalers of a content will scale once they are there. */
export function scaledByContent(objects: KubernetesObject[]): ScaledObject[] {
  return objects
    .filter(object => object.kind === 'HorizontalPodAutoscaler')
    .flatMap(object => scaledBy(object, object.metadata.namespace ?? ''));
}

export function isScaled(object: KubernetesObject, scaled: ScaledObject[]): boolean {
  return scaled.some(
    ({ group, kind, namespace, name }) =>
      object.kind === kind &&
      groupOf(object.apiVersion) === group &&
      object.metadata.namespace === namespace &&
      object.metadata.name === name,
  );
}

/**
 * What to do about the replica count of an object that an autoscaler scales.
 * - `asWritten`: there is no live count yet, or the manifest says the same;
 * - `leave`: somebody else owns the count, so our manifest goes without it;
 * - `handOver`: only we own it: another manager must own it before we let go,
 *   since the API server would fall back to 1.
 */
export function replicasDecision(
  desired: KubernetesObject,
  live: KubernetesObject | undefined,
): { decision: 'asWritten' } | { decision: 'leave' | 'handOver'; replicas: number } {
  const replicas = numberAt(live, 'spec', 'replicas');
  if (!live || replicas === undefined) {
    return { decision: 'asWritten' };
  }
  const ending = predecessorsOf(live);
  const ownedElsewhere = managedFieldsOf(live).some(
    entry =>
      entry.fieldsV1?.['f:spec']?.['f:replicas'] !== undefined &&
      entry.manager !== FIELD_MANAGER &&
      !ending.includes(entry),
  );
  if (ownedElsewhere) {
    return { decision: 'leave', replicas };
  }
  return numberAt(desired, 'spec', 'replicas') === replicas
    ? { decision: 'asWritten' }
    : { decision: 'handOver', replicas };
}

function scaledBy(autoscaler: unknown, namespace: string): ScaledObject[] {
  const kind = textAt(autoscaler, 'spec', 'scaleTargetRef', 'kind');
  const name = textAt(autoscaler, 'spec', 'scaleTargetRef', 'name');
  const apiVersion = textAt(autoscaler, 'spec', 'scaleTargetRef', 'apiVersion') ?? '';
  return kind && name ? [{ group: groupOf(apiVersion), kind, namespace, name }] : [];
}
