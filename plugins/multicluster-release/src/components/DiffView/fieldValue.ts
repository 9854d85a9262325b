import type { FieldChange } from 'backstage-plugin-multicluster-release-common';
import type { Translate } from '../../text';

/** What the server sends instead of a value that must not travel. */
const MASKED = 'value changed';

/**
 * One side of a changed field, as text. The server never sends values of
 * Secrets; should one come all the same, it is not drawn.
 */
export function fieldValue(
  kind: string,
  field: FieldChange,
  side: 'before' | 'after',
  text: Translate,
): string {
  const value = field[side];
  const absent = value === undefined && (side === 'before' ? 'added' : 'removed') === field.kind;
  if (absent) {
    return text('diff.absent');
  }
  const secret = kind === 'Secret' && /^\/(data|stringData)(\/|$)/.test(field.pointer);
  if (secret || value === MASKED) {
    return text('diff.secret');
  }
  return typeof value === 'string' ? value : JSON.stringify(value) ?? text('diff.absent');
}
