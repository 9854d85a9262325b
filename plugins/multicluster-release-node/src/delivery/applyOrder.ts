import type { KubernetesObject } from '../ports';

/**
 * What has to be there before what. Kinds of one line are written at the same
 * time. Kinds that are not named come after the workloads; what may refuse
 * writes of others comes last.
 */
const ORDER: readonly (readonly string[])[] = [
  ['Namespace'],
  ['CustomResourceDefinition'],
  [
    'PriorityClass',
    'StorageClass',
    'IngressClass',
    'GatewayClass',
    'RuntimeClass',
    'ResourceQuota',
    'LimitRange',
  ],
  ['ServiceAccount', 'ClusterRole', 'Role'],
  ['ClusterRoleBinding', 'RoleBinding'],
  ['ConfigMap', 'Secret', 'PersistentVolume', 'PersistentVolumeClaim', 'NetworkPolicy'],
  ['Service'],
  ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Pod', 'Job', 'CronJob'],
];

const LAST: ReadonlySet<string> = new Set([
  'APIService',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
]);

const CLASS_OF_KIND = new Map(
  ORDER.flatMap((kinds, index) => kinds.map(kind => [kind, index] as const)),
);

function orderClass(kind: string): number {
  return CLASS_OF_KIND.get(kind) ?? (LAST.has(kind) ? ORDER.length + 1 : ORDER.length);
}

/** The objects by class, first class first; empty classes are left out. */
export function inApplyOrder<T extends Pick<KubernetesObject, 'kind'>>(objects: T[]): T[][] {
  const classes = new Map<number, T[]>();
  for (const object of objects) {
    const index = orderClass(object.kind);
    classes.set(index, [...(classes.get(index) ?? []), object]);
  }
  return [...classes.keys()].sort((a, b) => a - b).map(index => classes.get(index) ?? []);
}
