import type { KubernetesObject } from '../../ports';
import { copyOf, isRecord } from '../json';
import type { FieldSet } from './managedFields';

/**
 * What server-side apply makes of an object when fields become ours that our
 * manifest does not have: those go, unless somebody else owns them too. Needed
 * because a dry run cannot take over ownership first.
 *
 * @param taken - fields that become ours
 * @param others - fields that stay with others
 */
export function dropTakenFields(
  object: KubernetesObject,
  taken: FieldSet,
  desired: KubernetesObject,
  others: FieldSet[],
): KubernetesObject {
  const result = copyOf(object);
  dropFrom(result, taken, desired, others);
  return result;
}

function dropFrom(live: unknown, taken: FieldSet, desired: unknown, others: FieldSet[]): void {
  // Entries are removed from the end of a list, so that positions before them stay true.
  for (const [step, below] of Object.entries(taken).reverse()) {
    const place = locate(live, step);
    if (step === '.' || !place) {
      continue;
    }
    const wanted = locate(desired, step)?.value;
    const shared = others.map(other => other[step]).filter(other => other !== undefined);
    if (wanted === undefined && shared.length === 0) {
      place.remove();
    } else {
      dropFrom(place.value, below, wanted, shared);
    }
  }
}

interface Located {
  value: unknown;
  remove(): void;
}

function locate(node: unknown, step: string): Located | undefined {
  const name = step.slice(2);
  if (step.startsWith('f:') && isRecord(node) && node[name] !== undefined) {
    return { value: node[name], remove: () => delete node[name] };
  }
  if (!Array.isArray(node)) {
    return undefined;
  }
  const index = node.findIndex(entry => isEntry(entry, step));
  return index < 0 ? undefined : { value: node[index], remove: () => node.splice(index, 1) };
}

function isEntry(entry: unknown, step: string): boolean {
  const wanted: unknown = JSON.parse(step.slice(2) || 'null');
  if (step.startsWith('v:')) {
    return JSON.stringify(entry) === JSON.stringify(wanted);
  }
  if (!step.startsWith('k:') || !isRecord(wanted) || !isRecord(entry)) {
    return false;
  }
  return Object.entries(wanted).every(([key, value]) => (entry[key] ?? defaultOf(key)) === value);
}

/** The only list key that manifests commonly leave out. */
function defaultOf(key: string): unknown {
  return key === 'protocol' ? 'TCP' : undefined;
}
