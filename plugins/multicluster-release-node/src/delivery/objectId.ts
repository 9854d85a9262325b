import type { KubernetesObject, ObjectId } from '../ports';

export function idOf(object: KubernetesObject): ObjectId {
  const { apiVersion, kind, metadata } = object;
  return {
    apiVersion,
    kind,
    namespace: metadata.namespace,
    name: metadata.name,
  };
}

/** `''` for the core group. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

/**
 * Equal for the same object, whichever version of its group it is written in:
 * an object that moves from `v1beta1` to `v1` is not a new one.
 */
export function idKey({ apiVersion, kind, namespace, name }: ObjectId): string {
  return `${groupOf(apiVersion)}/${kind}/${namespace ?? ''}/${name}`;
}

/** What messages and risks call an object: `Deployment/shop/web`, or `Namespace/shop` where there is no namespace. */
export function describeObject({ kind, namespace, name }: ObjectId): string {
  return namespace === undefined ? `${kind}/${name}` : `${kind}/${namespace}/${name}`;
}
