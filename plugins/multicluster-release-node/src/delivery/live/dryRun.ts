import { compare } from 'fast-json-patch';
import type { ApiResource, ClusterClient } from '../../clusters/types';
import type { KubernetesObject } from '../../ports';
import { describeObject, idOf } from '../objectId';
import { applyRequest } from './applyRequest';
import { isScaled, replicasDecision, type ScaledObject } from './autoscalers';
import { dropTakenFields } from './dropTakenFields';
import { fieldManagerOf } from './fieldManager';
import { managedFieldsOf, unionOf, type FieldSet } from './managedFields';
import { pathOf } from './readObject';
import { predecessorsOf } from './takeOver';
import { withReplicas } from './withReplicas';

/**
 * What the API server would make of an apply, admission included and nothing
 * written. Fields of kubectl's client-side apply that the manifest drops are
 * gone in the answer, as they will be after the real take-over.
 *
 * @throws ClusterError
 */
export async function dryRun(options: {
  client: ClusterClient;
  resource: ApiResource;
  object: KubernetesObject;
  live: KubernetesObject | undefined;
  service: string;
  scaled: ScaledObject[];
  signal?: AbortSignal;
}): Promise<KubernetesObject> {
  const { client, resource, live, service, signal } = options;
  const fieldManager = fieldManagerOf(options.object.kind, service);
  const object = withAutoscalersCount(options.object, live, options.scaled);
  const request = applyRequest({
    resource,
    object,
    live,
    fieldManager,
    dryRun: true,
  });
  const { body } = await client.request<KubernetesObject>({
    ...request,
    signal,
  });
  const taken = live ? predecessorsOf(live) : [];
  if (!live || taken.length === 0) {
    return body;
  }
  const others = managedFieldsOf(live)
    .filter(entry => !taken.includes(entry) && entry.manager !== fieldManager)
    .map(entry => entry.fieldsV1 ?? {});
  const union = taken.reduce<FieldSet>((all, entry) => unionOf(all, entry.fieldsV1 ?? {}), {});
  const predicted = dropTakenFields(body, union, object, others);
  return withDefaults(options, live, body, predicted);
}

/** The count that the autoscaler has set stays, whatever the manifest says (C06). */
function withAutoscalersCount(
  object: KubernetesObject,
  live: KubernetesObject | undefined,
  scaled: ScaledObject[],
): KubernetesObject {
  if (!isScaled(object, scaled)) {
    return object;
  }
  const decided = replicasDecision(object, live);
  return decided.decision === 'asWritten' ? object : withReplicas(object, decided.replicas);
}

/** Asks the API server what it would put in the place of the fields that go. */
async function withDefaults(
  { client, resource, service, signal }: Parameters<typeof dryRun>[0],
  live: KubernetesObject,
  applied: KubernetesObject,
  predicted: KubernetesObject,
): Promise<KubernetesObject> {
  if (compare(applied, predicted).length === 0) {
    return applied;
  }
  const { body } = await client.request<KubernetesObject>({
    method: 'PATCH',
    path: pathOf(resource, idOf(live)),
    query: { fieldManager: fieldManagerOf(live.kind, service), dryRun: 'All' },
    contentType: 'application/json-patch+json',
    body: compare(comparable(live), comparable(predicted)),
    subject: describeObject(idOf(live)),
    signal,
  });
  return {
    ...body,
    metadata: {
      ...body.metadata,
      managedFields: applied.metadata.managedFields,
    },
  };
}

function comparable(object: KubernetesObject): KubernetesObject {
  const {
    managedFields: _fields,
    resourceVersion: _version,
    generation: _generation,
    ...metadata
  } = object.metadata;
  const { status: _status, ...rest } = object;
  return { ...rest, metadata } as KubernetesObject;
}
