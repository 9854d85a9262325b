/*
 * Where no key is configured, Secret data is kept as digests: enough to see that
 * something changed, not to write it again. A short or guessable value can be
 * found by trying; configure a key where that matters.
 */
import {
  withheldDigest,
  type KubernetesObject,
  type ObjectId,
} from 'backstage-plugin-multicluster-release-node';

export interface WithheldObjects {
  objects: KubernetesObject[];
  /** Secrets that lost their data. */
  withheldSecrets: ObjectId[];
}

type DataField = 'data' | 'stringData';
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const DATA_FIELDS: DataField[] = ['data', 'stringData'];

/** Copies the objects with all Secret data replaced, and all copies of it within the Secret. */
export function withholdSecretData(objects: KubernetesObject[]): WithheldObjects {
  const withheldSecrets: ObjectId[] = [];
  const kept = objects.map(object => {
    if (!hasSecretData(object)) {
      return object;
    }
    const { name, namespace } = object.metadata;
    withheldSecrets.push({
      apiVersion: object.apiVersion,
      kind: object.kind,
      namespace,
      name,
    });
    return withhold(object);
  });
  return { objects: kept, withheldSecrets };
}

/** Whether this is a Secret with values of its own, or with a copy of them that client-side apply left. */
export function hasSecretData(value: unknown): value is KubernetesObject {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  const object = value as Partial<KubernetesObject>;
  return (
    object.kind === 'Secret' &&
    (DATA_FIELDS.some(field => hasEntries(object[field])) ||
      object.metadata?.annotations?.[LAST_APPLIED] !== undefined)
  );
}

function hasEntries(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function withhold(secret: KubernetesObject): KubernetesObject {
  const copy: KubernetesObject = {
    ...secret,
    metadata: withoutAnnotationValues(secret),
  };
  for (const field of DATA_FIELDS) {
    if (hasEntries(secret[field])) {
      copy[field] = digests(secret, field);
    }
  }
  return copy;
}

function digests(secret: KubernetesObject, field: DataField): Record<string, string> {
  const entries = Object.entries(secret[field] as Record<string, unknown>);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, withheldDigest(secret, key, encoded(field, value))]),
  );
}

/** The same value has the same digest in `data` and in `stringData`. */
function encoded(field: DataField, value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return field === 'data' ? text : Buffer.from(text).toString('base64');
}

/**
 * An annotation of a Secret may hold a copy of its data in any form (what
 * client-side apply leaves is only one), so none of their values is kept.
 */
function withoutAnnotationValues(secret: KubernetesObject): KubernetesObject['metadata'] {
  const { annotations, managedFields, ...metadata } = secret.metadata;
  if (!annotations) {
    return metadata;
  }
  const names = Object.keys(annotations);
  return {
    ...metadata,
    annotations: Object.fromEntries(names.map(name => [name, 'withheld'])),
  };
}
