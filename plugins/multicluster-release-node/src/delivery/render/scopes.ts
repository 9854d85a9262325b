import type { KubernetesObject } from '../../ports';
import { textAt } from '../json';
import { groupOf } from '../objectId';

/** Kinds of Kubernetes itself that live in no namespace, by group. */
const CLUSTER_SCOPED: Record<string, readonly string[]> = {
  '': ['Namespace', 'Node', 'PersistentVolume'],
  'apiextensions.k8s.io': ['CustomResourceDefinition'],
  'apiregistration.k8s.io': ['APIService'],
  'rbac.authorization.k8s.io': ['ClusterRole', 'ClusterRoleBinding'],
  'storage.k8s.io': [
    'StorageClass',
    'CSIDriver',
    'CSINode',
    'VolumeAttachment',
    'VolumeAttributesClass',
  ],
  'scheduling.k8s.io': ['PriorityClass'],
  'node.k8s.io': ['RuntimeClass'],
  'networking.k8s.io': ['IngressClass', 'IPAddress', 'ServiceCIDR'],
  'admissionregistration.k8s.io': [
    'MutatingWebhookConfiguration',
    'ValidatingWebhookConfiguration',
    'MutatingAdmissionPolicy',
    'MutatingAdmissionPolicyBinding',
    'ValidatingAdmissionPolicy',
    'ValidatingAdmissionPolicyBinding',
  ],
  'flowcontrol.apiserver.k8s.io': ['FlowSchema', 'PriorityLevelConfiguration'],
  'certificates.k8s.io': ['CertificateSigningRequest', 'ClusterTrustBundle'],
  'resource.k8s.io': ['DeviceClass', 'ResourceSlice'],
  'gateway.networking.k8s.io': ['GatewayClass'],
};

/**
 * Whether a kind lives in namespaces, as far as can be known without asking a
 * cluster: custom kinds by the CRD in the same content, others are taken to be
 * namespaced (the write leaves the namespace out where the cluster knows better).
 */
export function isNamespacedKind(
  { apiVersion, kind }: Pick<KubernetesObject, 'apiVersion' | 'kind'>,
  content: KubernetesObject[],
): boolean {
  const group = groupOf(apiVersion);
  if (CLUSTER_SCOPED[group]?.includes(kind)) {
    return false;
  }
  const definition = content.find(object => definesKind(object, group, kind));
  return textAt(definition, 'spec', 'scope') !== 'Cluster';
}

/** True for the CRD of this kind. */
export function definesKind(object: KubernetesObject, group: string, kind: string): boolean {
  return (
    object.kind === 'CustomResourceDefinition' &&
    textAt(object, 'spec', 'group') === group &&
    textAt(object, 'spec', 'names', 'kind') === kind
  );
}
