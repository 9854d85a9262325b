import type { Finding } from 'backstage-plugin-multicluster-release-common';
import type { KubernetesObject } from '../../ports';
import { describeObject, idOf } from '../objectId';
import { isNamespacedKind } from './scopes';

/**
 * Gives the target's namespace, in place, to namespaced objects that name none.
 * Another namespace that is written down stays and is said: whether the service
 * may write there is the tenancy's decision.
 */
export function setNamespaces(objects: KubernetesObject[], namespace: string): Finding[] {
  return objects.flatMap(object => {
    if (!isNamespacedKind(object, objects)) {
      delete object.metadata.namespace;
      return [];
    }
    object.metadata.namespace ??= namespace;
    return object.metadata.namespace === namespace ? [] : [otherNamespace(object, namespace)];
  });
}

function otherNamespace(object: KubernetesObject, namespace: string): Finding {
  const subject = describeObject(idOf(object));
  return {
    severity: 'warning',
    code: 'OtherNamespace',
    params: {
      object: subject,
      namespace: object.metadata.namespace ?? '',
      target: namespace,
    },
    message: `${subject} names its own namespace instead of the target's (${namespace}). Remove metadata.namespace unless this is meant.`,
  };
}
