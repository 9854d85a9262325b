import { createHash } from 'node:crypto';

const HASH_CHARACTERS = 10;
const LONGEST_LABEL = 63;

/**
 * The value of our service label: the entity's name as far as a label can hold
 * it, and a hash of the whole reference, so that equal names of different
 * namespaces differ. `component:default/checkout` → `checkout-` and ten hex digits.
 */
export function serviceLabel(service: string): string {
  const hash = createHash('sha256').update(service).digest('hex').slice(0, HASH_CHARACTERS);
  const name = service
    .slice(service.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_LABEL - HASH_CHARACTERS - 1)
    .replace(/^-+|-+$/g, '');
  return name === '' ? `service-${hash}` : `${name}-${hash}`;
}
