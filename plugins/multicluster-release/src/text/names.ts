import { parseEntityRef } from '@backstage/catalog-model';

/** `user:default/guest` reads `guest`; what is no entity reference stays as it is. */
export function entityName(reference: string): string {
  return /^[^:\s]+:[^/\s]+\/\S+$/.test(reference) ? parseEntityRef(reference).name : reference;
}

/** The first characters of a digest, enough to tell two apart by eye. */
export function shortDigest(digest: string): string {
  return digest.replace(/^sha256:/, '').slice(0, 8);
}
