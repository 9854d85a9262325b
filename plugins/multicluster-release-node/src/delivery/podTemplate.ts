import type { KubernetesObject } from '../ports';
import { isRecord, recordAt, valueAt, type JsonRecord } from './json';

/** Where a kind keeps its pod template. Pods are their own template. */
const TEMPLATE_PATHS: Record<string, readonly string[]> = {
  'apps/Deployment': ['spec', 'template'],
  'apps/StatefulSet': ['spec', 'template'],
  'apps/DaemonSet': ['spec', 'template'],
  'apps/ReplicaSet': ['spec', 'template'],
  'batch/Job': ['spec', 'template'],
  'batch/CronJob': ['spec', 'jobTemplate', 'spec', 'template'],
  '/Pod': [],
  '/ReplicationController': ['spec', 'template'],
};

/** Kinds whose pods run on and are replaced by an update: the ones that bear a track. */
const TRACKED_KINDS: ReadonlySet<string> = new Set([
  'apps/Deployment',
  'apps/StatefulSet',
  'apps/DaemonSet',
  'apps/ReplicaSet',
]);

const CONTAINER_LISTS = ['containers', 'initContainers', 'ephemeralContainers'] as const;

/** The pod template itself, to be changed in place; undefined where the kind has none. */
export function podTemplateOf(object: KubernetesObject): JsonRecord | undefined {
  const path = TEMPLATE_PATHS[groupKind(object)];
  const template = path && valueAt(object, ...path);
  return isRecord(template) ? template : undefined;
}

/** Every container of the pod template, to be changed in place. */
export function containersOf(object: KubernetesObject): JsonRecord[] {
  const podSpec = recordAt(podTemplateOf(object), 'spec');
  return CONTAINER_LISTS.flatMap(list => {
    const containers = podSpec[list];
    return Array.isArray(containers) ? containers.filter(isRecord) : [];
  });
}

export function isTrackedWorkload(object: KubernetesObject): boolean {
  return TRACKED_KINDS.has(groupKind(object));
}

function groupKind({ apiVersion, kind }: KubernetesObject): string {
  const slash = apiVersion.indexOf('/');
  return `${slash < 0 ? '' : apiVersion.slice(0, slash)}/${kind}`;
}
