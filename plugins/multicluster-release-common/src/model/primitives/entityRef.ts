import { z } from 'zod';
import { isQualifiedName } from './names';

/** `kind:namespace/name`, written out: a document may be read far from its default namespace. */
export function isEntityRef(text: string): boolean {
  const colon = text.indexOf(':');
  const slash = text.indexOf('/');
  return (
    colon > 0 &&
    slash > colon &&
    [text.slice(0, colon), text.slice(colon + 1, slash), text.slice(slash + 1)].every(
      isQualifiedName,
    )
  );
}

export const entityRefSchema = z
  .string()
  .refine(isEntityRef, 'must be a full entity reference such as component:default/checkout');
