import type { KubernetesObject } from '../../ports';
import { isRecord } from '../json';

export function withoutReplicas(object: KubernetesObject): KubernetesObject {
  if (!isRecord(object.spec)) {
    return object;
  }
  const { replicas: _dropped, ...spec } = object.spec;
  return { ...object, spec };
}

export function withReplicas(object: KubernetesObject, replicas: number): KubernetesObject {
  return {
    ...object,
    spec: { ...(isRecord(object.spec) ? object.spec : {}), replicas },
  };
}
