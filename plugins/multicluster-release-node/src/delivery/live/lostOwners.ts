import type { KubernetesObject } from '../../ports';
import { isOurManager } from './fieldManager';
import { fieldPaths, managedFieldsOf, sameManager } from './managedFields';

/**
 * Managers that a forced apply takes fields from: they owned something before
 * that they do not own after. Equal values are shared, so only changes count.
 */
export function lostOwners(before: KubernetesObject, after: KubernetesObject): string[] {
  const entriesAfter = managedFieldsOf(after);
  const losers = managedFieldsOf(before)
    .filter(entry => !isOurManager(entry.manager) && entry.subresource !== 'status')
    .filter(entry => {
      const kept = fieldPaths(
        entriesAfter.find(other => sameManager(other, entry))?.fieldsV1 ?? {},
      );
      return [...fieldPaths(entry.fieldsV1 ?? {})].some(path => !kept.has(path));
    });
  return [...new Set(losers.map(entry => entry.manager))].sort();
}
