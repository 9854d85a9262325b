import { ClusterError } from '../../clusters/errors/ClusterError';
import type { ApiResource } from '../../clusters/types';
import type { KubernetesObject, Outcome } from '../../ports';
import { refuseLive, type ApplyContext, type Written } from '../applyObject';
import { isRecord, numberAt } from '../json';
import { isScaled } from '../live/autoscalers';
import { fencedWrite } from '../live/fencedWrite';
import { pathOf, readObject } from '../live/readObject';
import { REPLICAS_ANNOTATION, WEIGHT_STAMP_ANNOTATION, WEIGHT_MANAGER } from '../names';
import { describeObject, idOf } from '../objectId';
import { formatStamp } from '../stamp';

/*
 * A weight takes pods from the running Deployment. How many it had is written on
 * it in the same request that takes the first, so that there is no moment in which
 * a kill could lose it; whatever brings a content in full gives them back.
 *
 * The stamp stays as it is: it proves whose content runs there, and that is not ours yet.
 * The count is patched and not applied: what is applied and later left out would
 * fall back to 1 pod.
 */

type Refusal = Exclude<Outcome, { result: 'done' }>;

/** How often a write is tried again at once when somebody else wrote in between; controllers do. */
const CONFLICT_ATTEMPTS = 5;

/** What the Deployment had before a weight took pods from it; undefined where none has. */
export function recordedReplicas({ metadata }: KubernetesObject): number | undefined {
  const text = metadata.annotations?.[REPLICAS_ANNOTATION];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/**
 * Gives the running Deployment so many pods of the number that it shall have.
 * Asked again it writes nothing, or under a newer lease its stamp alone.
 *
 * @throws ClusterError, FenceClosedError
 */
export async function scaleStable(
  context: ApplyContext,
  resource: ApiResource,
  first: KubernetesObject,
  { wanted, of }: { wanted: number; of: number },
): Promise<Refusal | undefined> {
  const stamp = formatStamp(context.stamp);
  let live: KubernetesObject | undefined = first;
  for (let attempt = 1; attempt <= CONFLICT_ATTEMPTS && live; attempt += 1) {
    const refusal = refuseLive(context, live);
    if (refusal) {
      return refusal;
    }
    const replicas = numberAt(live, 'spec', 'replicas');
    const recorded = recordedReplicas(live);
    const stamped =
      recorded === undefined || live.metadata.annotations?.[WEIGHT_STAMP_ANNOTATION] === stamp;
    if (replicas === wanted && stamped) {
      return undefined;
    }
    if (recorded === undefined && replicas !== numberAt(first, 'spec', 'replicas')) {
      break;
    }
    const annotations = { [WEIGHT_STAMP_ANNOTATION]: stamp, [REPLICAS_ANNOTATION]: String(of) };
    const patched = await patch(context, resource, live, { annotations, replicas: wanted });
    if (patched) {
      return undefined;
    }
    live = await readObject(context.client, resource, idOf(first), context.fence.signal);
  }
  return disturbed(context, first);
}

/**
 * After the content was written in full: takes the record away, and gives back the
 * pods where neither the content nor an autoscaler says how many there shall be.
 *
 * @throws ClusterError, FenceClosedError
 */
export async function restoreReplicas(
  context: ApplyContext,
  resource: ApiResource,
  object: KubernetesObject,
  written: Extract<Written, { live: KubernetesObject }>,
): Promise<Written> {
  const given = isRecord(object.spec) && object.spec.replicas !== undefined;
  const keeps = given || isScaled(object, context.scaled);
  let live: KubernetesObject | undefined = written.live;
  for (let attempt = 1; attempt <= CONFLICT_ATTEMPTS && live; attempt += 1) {
    const recorded = recordedReplicas(live);
    if (recorded === undefined) {
      return { ...written, live };
    }
    const refusal = refuseLive(context, live);
    if (refusal) {
      return refusal;
    }
    const annotations = { [REPLICAS_ANNOTATION]: null, [WEIGHT_STAMP_ANNOTATION]: null };
    const change = keeps ? { annotations } : { annotations, replicas: recorded };
    const patched = await patch(context, resource, live, change);
    if (patched) {
      return { result: written.result === 'created' ? 'created' : 'configured', live: patched };
    }
    live = await readObject(context.client, resource, idOf(object), context.fence.signal);
  }
  return disturbed(context, written.live);
}

/** undefined where somebody wrote in between. */
async function patch(
  { client, fence }: ApplyContext,
  resource: ApiResource,
  { metadata, ...rest }: KubernetesObject,
  change: { annotations: Record<string, string | null>; replicas?: number },
): Promise<KubernetesObject | undefined> {
  const id = idOf({ ...rest, metadata } as KubernetesObject);
  const { uid, resourceVersion } = metadata;
  const { annotations, replicas } = change;
  try {
    return await fencedWrite<KubernetesObject>(client, fence, {
      method: 'PATCH',
      path: pathOf(resource, id),
      query: { fieldManager: WEIGHT_MANAGER },
      contentType: 'application/merge-patch+json',
      body: {
        metadata: { uid, resourceVersion, annotations },
        ...(replicas === undefined ? {} : { spec: { replicas } }),
      },
      subject: describeObject(id),
    });
  } catch (error) {
    if (error instanceof ClusterError && error.kind === 'conflict') {
      return undefined;
    }
    throw error;
  }
}

function disturbed({ client }: ApplyContext, object: KubernetesObject): Refusal {
  return {
    result: 'retry',
    message: `${client.name}: ${describeObject(
      idOf(object),
    )}: somebody else changes it at the same time.`,
  };
}
