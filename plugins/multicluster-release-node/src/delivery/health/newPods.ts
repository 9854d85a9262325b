import type { KubernetesObject } from '../../ports';
import { isRecord, listAt, textAt } from '../json';
import type { HealthEvidence } from './types';

const REVISION = 'deployment.kubernetes.io/revision';

/** The ReplicaSet of a Deployment's newest revision; undefined before its controller has made it. */
export function newReplicaSet(
  deployment: KubernetesObject,
  replicaSets: KubernetesObject[],
): KubernetesObject | undefined {
  const revision = deployment.metadata.annotations?.[REVISION];
  return replicaSets.find(
    replicaSet =>
      revision !== undefined &&
      isControlledBy(replicaSet, deployment) &&
      replicaSet.metadata.annotations?.[REVISION] === revision,
  );
}

/** Pods of the revision that the workload is going to; those of earlier ones may fail as they like. */
export function newPods(workload: KubernetesObject, evidence: HealthEvidence): KubernetesObject[] {
  switch (workload.kind) {
    case 'Deployment': {
      const replicaSet = newReplicaSet(workload, evidence.replicaSets);
      return replicaSet ? ownedPods(replicaSet, evidence.pods) : [];
    }
    case 'StatefulSet': {
      const revision = textAt(workload, 'status', 'updateRevision');
      return ownedPods(workload, evidence.pods).filter(
        pod => pod.metadata.labels?.['controller-revision-hash'] === revision,
      );
    }
    case 'DaemonSet':
      return ownedPods(workload, evidence.pods).filter(pod => isOfTemplate(pod, workload));
    default:
      return ownedPods(workload, evidence.pods);
  }
}

/** The DaemonSet controller counts templates and writes the count on each pod. */
function isOfTemplate(pod: KubernetesObject, daemonSet: KubernetesObject): boolean {
  const wanted = daemonSet.metadata.annotations?.['deprecated.daemonset.template.generation'];
  const found = pod.metadata.labels?.['pod-template-generation'];
  return wanted === undefined || found === undefined || wanted === found;
}

function ownedPods(owner: KubernetesObject, pods: KubernetesObject[]): KubernetesObject[] {
  return pods.filter(
    pod => pod.metadata.deletionTimestamp === undefined && isControlledBy(pod, owner),
  );
}

function isControlledBy(object: KubernetesObject, owner: KubernetesObject): boolean {
  return listAt(object, 'metadata', 'ownerReferences').some(
    reference =>
      isRecord(reference) && reference.uid === owner.metadata.uid && reference.controller === true,
  );
}
