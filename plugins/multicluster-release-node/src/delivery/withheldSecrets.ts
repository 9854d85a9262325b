import { createHash } from 'node:crypto';
import type { KubernetesObject, Outcome, StoredContent } from '../ports';
import { isRecord, type JsonRecord } from './json';
import { describeObject, idKey, idOf } from './objectId';

/**
 * How a Secret's value is kept where no encryption key is configured: enough to
 * compare, not to write. The same value has another digest in another Secret.
 *
 * @param encoded - the value as in `data`, in base64
 */
export function withheldDigest(secret: KubernetesObject, key: string, encoded: string): string {
  const { namespace, name } = secret.metadata;
  const value = Buffer.from(encoded, 'base64').toString('latin1');
  const hash = createHash('sha256').update(JSON.stringify([namespace, name, key, value]));
  return `sha256:${hash.digest('hex')}`;
}

/**
 * The objects of a content, with the data of withheld Secrets taken from the copy
 * on the cluster where that is proven to be the same; else what is missing.
 *
 * @param live - by idKey
 */
export function fillWithheld(
  content: StoredContent,
  live: ReadonlyMap<string, KubernetesObject>,
  cluster: string,
): {
  objects: KubernetesObject[];
  missing?: Exclude<Outcome, { result: 'done' }>;
} {
  const withheld = new Set(content.withheldSecrets.map(idKey));
  const missing: string[] = [];
  const objects = content.objects.map(object => {
    const key = idKey(idOf(object));
    if (!withheld.has(key)) {
      return object;
    }
    const copy = live.get(key);
    if (copy && holdsSameData(object, copy)) {
      return withDataOf(object, copy);
    }
    missing.push(describeObject(idOf(object)));
    return object;
  });
  return missing.length === 0 ? { objects } : { objects, missing: refusal(cluster, missing) };
}

function holdsSameData(withheld: KubernetesObject, copy: KubernetesObject): boolean {
  const digests = recordOf(withheld.data);
  const values = recordOf(copy.data);
  return Object.entries(digests).every(
    ([key, digest]) =>
      typeof values[key] === 'string' && withheldDigest(withheld, key, values[key]) === digest,
  );
}

function withDataOf(withheld: KubernetesObject, copy: KubernetesObject): KubernetesObject {
  const values = recordOf(copy.data);
  const data = Object.fromEntries(
    Object.keys(recordOf(withheld.data)).map(key => [key, values[key]]),
  );
  const annotations =
    withheld.metadata.annotations && liveAnnotations(withheld.metadata.annotations, copy);
  return {
    ...withheld,
    data,
    metadata: { ...withheld.metadata, ...(annotations && { annotations }) },
  };
}

/** Annotations of withheld Secrets are withheld with them. */
function liveAnnotations(
  names: Record<string, string>,
  copy: KubernetesObject,
): Record<string, string> {
  const { annotations = {} } = copy.metadata;
  return Object.fromEntries(
    Object.keys(names)
      .filter(name => annotations[name] !== undefined)
      .map(name => [name, annotations[name]]),
  );
}

function recordOf(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

function refusal(cluster: string, secrets: string[]): Exclude<Outcome, { result: 'done' }> {
  return {
    result: 'refused',
    reason: 'ContentWithheld',
    message:
      `${cluster}: ${secrets.join(
        ', ',
      )}: our record keeps only a digest of the data, and the cluster has no equal copy. ` +
      'Configure multiclusterRelease.encryption.keys and release again, or create the Secret outside of the release.',
  };
}
