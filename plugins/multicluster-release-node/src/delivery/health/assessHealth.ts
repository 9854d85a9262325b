import type { KubernetesObject } from '../../ports';
import { groupOf } from '../objectId';
import {
  assessByConditions,
  assessDefinition,
  assessJob,
  assessNamespace,
  assessPod,
  assessVolumeClaim,
} from './others';
import type { HealthEvidence, Verdict } from './types';
import {
  assessDaemonSet,
  assessDeployment,
  assessReplicaSet,
  assessStatefulSet,
} from './workloads';

type Assess = (object: KubernetesObject, evidence: HealthEvidence) => Verdict;

const BY_KIND: Record<string, Assess> = {
  'apps/Deployment': assessDeployment,
  'apps/ReplicaSet': assessReplicaSet,
  'apps/StatefulSet': assessStatefulSet,
  'apps/DaemonSet': assessDaemonSet,
  'batch/Job': assessJob,
  '/Pod': assessPod,
  '/PersistentVolumeClaim': assessVolumeClaim,
  '/Namespace': assessNamespace,
  'apiextensions.k8s.io/CustomResourceDefinition': assessDefinition,
};

/** Groups of Kubernetes itself: what is not named above has no health of its own and is well when it is there. */
const OWN_GROUPS: ReadonlySet<string> = new Set([
  '',
  'admissionregistration.k8s.io',
  'apps',
  'autoscaling',
  'batch',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
]);

/**
 * Health of one live object for the version that was written last. Pure.
 * `Unknown` and `Progressing` are both no success.
 */
export function assessHealth(object: KubernetesObject, evidence: HealthEvidence): Verdict {
  if (object.metadata.deletionTimestamp !== undefined) {
    return {
      state: 'Progressing',
      reason: 'Deleting',
      message: 'is being deleted',
    };
  }
  const group = groupOf(object.apiVersion);
  const assess = BY_KIND[`${group}/${object.kind}`];
  if (assess) {
    return assess(object, evidence);
  }
  return OWN_GROUPS.has(group) ? { state: 'Healthy' } : assessByConditions(object, evidence);
}
