import type { KubernetesObject, ObjectId } from '../../ports';
import { copyOf, recordAt } from '../json';
import { TRACK_LABEL } from '../names';
import { groupOf } from '../objectId';

const CANARY = 'canary';

/** Only these can have a copy: pods of other kinds have names, volumes or nodes of their own. */
export function isDeployment({ apiVersion, kind }: KubernetesObject): boolean {
  return groupOf(apiVersion) === 'apps' && kind === 'Deployment';
}

/** The copy of `web` is `web-canary`. */
export function copyIdOf({ apiVersion, kind, namespace, name }: ObjectId): ObjectId {
  return { apiVersion, kind, namespace, name: `${name}-canary` };
}

/**
 * The Deployment that runs beside the one of a content: its pods bear all labels of
 * the content's, so that Services find them, and another track, by which the copy
 * and nobody else selects them.
 *
 * @param replicas - left out where only the copy's identity matters
 */
export function canaryCopy(deployment: KubernetesObject, replicas?: number): KubernetesObject {
  const { metadata, ...rest } = copyOf(deployment);
  const spec = recordAt(rest, 'spec');
  const template = recordAt(spec, 'template');
  return {
    ...rest,
    metadata: {
      ...metadata,
      name: `${metadata.name}-canary`,
      labels: { ...metadata.labels, [TRACK_LABEL]: CANARY },
    },
    spec: {
      ...spec,
      ...(replicas === undefined ? {} : { replicas }),
      selector: withTrack(recordAt(spec, 'selector'), 'matchLabels'),
      template: { ...template, metadata: withTrack(recordAt(template, 'metadata'), 'labels') },
    },
  };
}

/** A Deployment of that name which is no copy is somebody's own. */
export function isCopy({ metadata }: KubernetesObject): boolean {
  return metadata.labels?.[TRACK_LABEL] === CANARY;
}

function withTrack(parent: Record<string, unknown>, member: string): Record<string, unknown> {
  return { ...parent, [member]: { ...recordAt(parent, member), [TRACK_LABEL]: CANARY } };
}
