import type { KubernetesObject } from '../../ports';
import { isRecord } from '../json';

/**
 * A set of fields as the API server writes it: `f:<name>` a member, `k:<json>` a
 * list entry by its keys, `v:<json>` an entry of a set, `.` the node itself.
 */
export interface FieldSet {
  [step: string]: FieldSet;
}

/** One line of `metadata.managedFields`. */
export interface ManagedFields {
  manager: string;
  operation: 'Apply' | 'Update';
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: FieldSet;
  subresource?: string;
}

export function managedFieldsOf(object: KubernetesObject): ManagedFields[] {
  const entries = object.metadata.managedFields;
  return Array.isArray(entries) ? entries.filter(isManagedFields) : [];
}

/** Every field of a set as one text; a node that is owned itself counts. */
export function fieldPaths(fields: FieldSet, prefix = ''): Set<string> {
  const paths = new Set<string>();
  for (const [step, below] of Object.entries(fields)) {
    const path = `${prefix}/${step}`;
    if (Object.keys(below).length === 0) {
      paths.add(path);
    } else {
      fieldPaths(below, path).forEach(found => paths.add(found));
    }
  }
  return paths;
}

export function unionOf(a: FieldSet, b: FieldSet): FieldSet {
  const union: FieldSet = { ...a };
  for (const [step, below] of Object.entries(b)) {
    union[step] = union[step] ? unionOf(union[step], below) : below;
  }
  return union;
}

/** Same writer: what must be compared before and after a write. */
export function sameManager(a: ManagedFields, b: ManagedFields): boolean {
  return a.manager === b.manager && a.operation === b.operation && a.subresource === b.subresource;
}

/** When this manager last changed the object, by the cluster's clock; epoch milliseconds. */
export function changedAt(object: KubernetesObject, manager: string): number | undefined {
  const times = managedFieldsOf(object)
    .filter(
      entry => entry.manager === manager && entry.operation === 'Apply' && entry.time !== undefined,
    )
    .map(entry => Date.parse(entry.time ?? ''))
    .filter(Number.isFinite);
  return times.length > 0 ? Math.max(...times) : undefined;
}

function isManagedFields(value: unknown): value is ManagedFields {
  return (
    isRecord(value) && typeof value.manager === 'string' && typeof value.operation === 'string'
  );
}
