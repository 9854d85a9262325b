import { createHash } from 'node:crypto';
import type { DefinitionSummary } from '../../store';

/** Whether this text is what the newest revision from this place holds. */
export function isLatestFrom(
  location: string,
  text: string,
  revisions: DefinitionSummary[],
): boolean {
  const latest = revisions.find(revision => revision.location === location);
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return latest?.revision.endsWith(`-${digest}`) ?? false;
}
