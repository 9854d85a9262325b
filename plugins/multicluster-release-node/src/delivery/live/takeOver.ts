import type { KubernetesObject } from '../../ports';
import { managedFieldsOf, unionOf, type FieldSet, type ManagedFields } from './managedFields';

/**
 * Managers behind which a person with kubectl stands. Their fields become ours,
 * so that what our manifest drops really goes; left with them it would stay for
 * ever (design rule "First managed release").
 */
const PREDECESSORS: ReadonlySet<string> = new Set([
  'kubectl-client-side-apply',
  'kubectl-create',
  'kubectl-replace',
  'kubectl',
  'before-first-apply',
]);

/** What of an object's ownership would be taken over; empty for objects that only we and controllers write. */
export function predecessorsOf(object: KubernetesObject): ManagedFields[] {
  return managedFieldsOf(object).filter(isPredecessor);
}

/**
 * The object's managedFields with those of predecessors moved into our own entry;
 * undefined where there is nothing to take over.
 */
export function withPredecessorsTakenOver(
  object: KubernetesObject,
  manager: string,
): ManagedFields[] | undefined {
  const entries = managedFieldsOf(object);
  const taken = entries.filter(isPredecessor);
  if (taken.length === 0) {
    return undefined;
  }
  const own = entries.find(entry => isOwn(entry, manager));
  const fieldsV1 = taken.reduce<FieldSet>(
    (union, entry) => unionOf(union, entry.fieldsV1 ?? {}),
    own?.fieldsV1 ?? {},
  );
  const { apiVersion, time } = own ?? taken[0];
  const merged: ManagedFields = {
    manager,
    operation: 'Apply',
    apiVersion,
    time,
    fieldsType: 'FieldsV1',
    fieldsV1,
  };
  return [merged, ...entries.filter(entry => !isPredecessor(entry) && !isOwn(entry, manager))];
}

/** `kubectl scale` and `kubectl edit --subresource` speak for a moment, not for a manifest. */
function isPredecessor(entry: ManagedFields): boolean {
  return entry.subresource === undefined && PREDECESSORS.has(entry.manager);
}

function isOwn(entry: ManagedFields, manager: string): boolean {
  return (
    entry.manager === manager && entry.operation === 'Apply' && entry.subresource === undefined
  );
}
