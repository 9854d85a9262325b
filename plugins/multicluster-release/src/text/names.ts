import { parseEntityRef } from '@backstage/catalog-model';
import type { TextParams } from './Texts';

/** `user:default/guest` reads `guest`; what is no entity reference stays as it is. */
export function entityName(reference: string): string {
  return /^[^:\s]+:[^/\s]+\/\S+$/.test(reference) ? parseEntityRef(reference).name : reference;
}

/** A release's id, short enough to read out; the full one belongs beside it, in a title. */
export function shortId(id: string): string {
  return /^[0-9a-f]{8}-/.test(id) ? id.slice(0, 8) : id;
}

/** Parameters of a text with the id of a release as people read it. */
export function shortened(params: TextParams = {}): TextParams {
  return typeof params.id === 'string' ? { ...params, id: shortId(params.id) } : { ...params };
}

/** The server's English without what only machines need: people by name. */
export function plainWords(message: string): string {
  return message.replace(
    /\b(?:user|group|component|resource|system):[\w.-]+\/[\w.-]*\w/g,
    entityName,
  );
}

/** The first characters of a digest, enough to tell two apart by eye. */
export function shortDigest(digest: string): string {
  return digest.replace(/^sha256:/, '').slice(0, 8);
}

/** A sentence is read with about this many names in it. */
const MOST_NAMES = 8;

/**
 * The first names, and how many more there are: `a, b +3`.
 *
 * @param total - how many there are, where `names` are not all of them
 */
export function firstNames(names: string[], total: number = names.length): string {
  const shown = names.slice(0, MOST_NAMES);
  const rest = total - shown.length;
  return rest > 0 ? `${shown.join(', ')} +${rest}` : shown.join(', ');
}
