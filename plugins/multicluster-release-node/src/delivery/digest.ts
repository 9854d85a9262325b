import { createHash } from 'node:crypto';
import { canonicalJson } from 'backstage-plugin-multicluster-release-common';
import type { KubernetesObject } from '../ports';
import { idKey, idOf } from './objectId';

/**
 * SHA-256 (hex) over the canonical JSON of the objects, in the order of their
 * ids: neither the order of manifests nor of keys makes other content. Stamps
 * are not part of content and therefore not of the digest.
 */
export function contentDigest(objects: KubernetesObject[]): string {
  const ordered = [...objects].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  return createHash('sha256').update(canonicalJson(ordered)).digest('hex');
}

function sortKey(object: KubernetesObject): string {
  return idKey(idOf(object));
}
