import { ClusterError } from '../clusters/errors/ClusterError';
import type { ApiResource, ClusterClient } from '../clusters/types';
import type { KubernetesObject, Outcome, Stamp, WriteFence } from '../ports';
import { applyRequest } from './live/applyRequest';
import { isScaled, replicasDecision, type ScaledObject } from './live/autoscalers';
import { fencedWrite } from './live/fencedWrite';
import { fieldManagerOf } from './live/fieldManager';
import { foreignOwner, hasNewerStamp } from './live/owners';
import { pathOf, readObject } from './live/readObject';
import { withPredecessorsTakenOver } from './live/takeOver';
import { CONTENT_ANNOTATION, HANDOVER_MANAGER, STAMP_ANNOTATION } from './names';
import { describeObject, idOf } from './objectId';
import { isSharedKind } from './sharedKinds';
import { formatStamp } from './stamp';
import { withoutReplicas } from './live/withReplicas';

/** What all objects of one apply have in common. */
export interface ApplyContext {
  client: ClusterClient;
  fence: WriteFence;
  stamp: Stamp;
  /** Of the whole content. */
  digest: string;
  scaled: ScaledObject[];
}

/** How the write of one object ended. */
export type Written =
  | { result: 'created' | 'configured' | 'unchanged'; live: KubernetesObject }
  | Exclude<Outcome, { result: 'done' }>;

/** How often a write is tried again at once when somebody else wrote in between. */
const CONFLICT_ATTEMPTS = 5;

/**
 * Brings one object to its content and stamp. A write that would change nothing
 * changes nothing on the API server either: the resourceVersion stays.
 *
 * @param firstLive - the object as read before; read again after every conflict
 * @throws ClusterError, FenceClosedError
 */
export async function applyObject(
  context: ApplyContext,
  resource: ApiResource,
  object: KubernetesObject,
  firstLive: KubernetesObject | undefined,
): Promise<Written> {
  let live = firstLive;
  for (let attempt = 1; attempt <= CONFLICT_ATTEMPTS; attempt += 1) {
    const refusal = live && refuseLive(context, live);
    if (refusal) {
      return refusal;
    }
    try {
      return await writeObject(context, resource, object, live);
    } catch (error) {
      if (!(error instanceof ClusterError) || error.kind !== 'conflict') {
        throw error;
      }
      live = await readObject(context.client, resource, idOf(object), context.fence.signal);
    }
  }
  const subject = `${context.client.name}: ${describeObject(idOf(object))}`;
  return {
    result: 'retry',
    message: `${subject}: somebody else writes to it at the same time; tried ${CONFLICT_ATTEMPTS} times.`,
  };
}

/** Why we may not write over what is there, or undefined where we may. */
export function refuseLive(
  { client, stamp }: Pick<ApplyContext, 'client' | 'stamp'>,
  live: KubernetesObject,
): Exclude<Outcome, { result: 'done' }> | undefined {
  const subject = `${client.name}: ${describeObject(idOf(live))}`;
  if (hasNewerStamp(live, stamp)) {
    return {
      result: 'leaseLost',
      message: `${subject}: bears a newer stamp than ${stamp.sequence}.${stamp.ticket}; a later holder of the lease goes on.`,
    };
  }
  const owner = foreignOwner(live, stamp.service);
  if (owner) {
    return {
      result: 'refused',
      reason: 'OwnedByOther',
      message: `${subject}: belongs to ${owner}. Take it out there first, or give the object another name.`,
    };
  }
  if (live.metadata.deletionTimestamp !== undefined) {
    return {
      result: 'retry',
      message: `${subject}: is being deleted; waits until it is gone.`,
    };
  }
  return undefined;
}

async function writeObject(
  context: ApplyContext,
  resource: ApiResource,
  object: KubernetesObject,
  before: KubernetesObject | undefined,
): Promise<Written> {
  const { desired, live } = await prepareLive(context, resource, stamped(context, object), before);
  const fieldManager = fieldManagerOf(object.kind, context.stamp.service);
  const request = applyRequest({
    resource,
    object: desired,
    live,
    fieldManager,
  });
  const after = await fencedWrite<KubernetesObject>(context.client, context.fence, request);
  if (!before) {
    return { result: 'created', live: after };
  }
  const changed = after.metadata.resourceVersion !== before.metadata.resourceVersion;
  return { result: changed ? 'configured' : 'unchanged', live: after };
}

function stamped({ stamp, digest }: ApplyContext, object: KubernetesObject): KubernetesObject {
  if (isSharedKind(object.kind)) {
    return object;
  }
  const annotations = {
    ...object.metadata.annotations,
    [STAMP_ANNOTATION]: formatStamp(stamp),
    [CONTENT_ANNOTATION]: digest,
  };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** Hands over what is the autoscaler's, takes over what was kubectl's, before the write that lets go or drops. */
async function prepareLive(
  context: ApplyContext,
  resource: ApiResource,
  object: KubernetesObject,
  before: KubernetesObject | undefined,
): Promise<{ desired: KubernetesObject; live: KubernetesObject | undefined }> {
  if (!before) {
    return { desired: object, live: before };
  }
  let live = before;
  let desired = object;
  if (isScaled(object, context.scaled)) {
    const replicas = replicasDecision(object, live);
    if (replicas.decision === 'handOver') {
      live = await handOverReplicas(context, resource, live, replicas.replicas);
    }
    desired = replicas.decision === 'asWritten' ? object : withoutReplicas(object);
  }
  return { desired, live: await takeOver(context, resource, live) };
}

function handOverReplicas(
  { client, fence }: ApplyContext,
  resource: ApiResource,
  live: KubernetesObject,
  replicas: number,
): Promise<KubernetesObject> {
  const { apiVersion, kind, metadata } = live;
  const object = {
    apiVersion,
    kind,
    metadata: { name: metadata.name, namespace: metadata.namespace },
    spec: { replicas },
  };
  return fencedWrite(
    client,
    fence,
    applyRequest({ resource, object, live, fieldManager: HANDOVER_MANAGER }),
  );
}

async function takeOver(
  { client, fence, stamp }: ApplyContext,
  resource: ApiResource,
  live: KubernetesObject,
): Promise<KubernetesObject> {
  const manager = fieldManagerOf(live.kind, stamp.service);
  const managedFields = withPredecessorsTakenOver(live, manager);
  if (!managedFields) {
    return live;
  }
  return fencedWrite<KubernetesObject>(client, fence, {
    method: 'PATCH',
    path: pathOf(resource, idOf(live)),
    query: { fieldManager: manager },
    contentType: 'application/json-patch+json',
    body: [
      { op: 'test', path: '/metadata/uid', value: live.metadata.uid },
      {
        op: 'replace',
        path: '/metadata/resourceVersion',
        value: live.metadata.resourceVersion,
      },
      { op: 'replace', path: '/metadata/managedFields', value: managedFields },
    ],
    subject: describeObject(idOf(live)),
  });
}
