import { escapePathComponent } from 'fast-json-patch';
import type { FieldChange } from 'backstage-plugin-multicluster-release-common';
import type { KubernetesObject } from '../ports';
import { copyOf, isRecord, type JsonRecord } from './json';
import {
  CONTENT_ANNOTATION,
  LAST_APPLIED_ANNOTATION,
  REPLICAS_ANNOTATION,
  STAMP_ANNOTATION,
  WEIGHT_STAMP_ANNOTATION,
} from './names';
import { VALUE_CHANGED } from './redact/mask';
import { isSecret } from './redact/redactObject';

const SERVER_METADATA = [
  'managedFields',
  'resourceVersion',
  'generation',
  'uid',
  'creationTimestamp',
  'selfLink',
];

const KEYED_MEMBERS: ReadonlySet<string> = new Set(['data', 'stringData']);

/**
 * What differs between two forms of an object for a person: without what the API
 * server counts and our own stamp, and without any value of a Secret. List
 * entries that have names are compared by name.
 */
export function fieldChanges(before: KubernetesObject, after: KubernetesObject): FieldChange[] {
  const changes: FieldChange[] = [];
  compare(withoutNoise(before), withoutNoise(after), '', changes);
  return isSecret(after) || isSecret(before) ? changes.map(masked) : changes;
}

/** A copy without fields that change with every write. */
function withoutNoise(object: KubernetesObject): KubernetesObject {
  const copy = copyOf(object);
  delete copy.status;
  SERVER_METADATA.forEach(field => delete copy.metadata[field]);
  const { annotations } = copy.metadata;
  if (annotations) {
    delete annotations[STAMP_ANNOTATION];
    delete annotations[CONTENT_ANNOTATION];
    delete annotations[REPLICAS_ANNOTATION];
    delete annotations[WEIGHT_STAMP_ANNOTATION];
    delete annotations['deployment.kubernetes.io/revision'];
    if (Object.keys(annotations).length === 0) {
      delete copy.metadata.annotations;
    }
  }
  return copy;
}

function compare(before: unknown, after: unknown, pointer: string, changes: FieldChange[]): void {
  if (isRecord(before) && isRecord(after)) {
    compareRecords(before, after, pointer, changes);
    return;
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    compareLists(before, after, pointer, changes);
    return;
  }
  if (before === after) {
    return;
  }
  if (before === undefined) {
    changes.push({ pointer, kind: 'added', after });
  } else if (after === undefined) {
    changes.push({ pointer, kind: 'removed', before });
  } else {
    changes.push({ pointer, kind: 'changed', before, after });
  }
}

function compareRecords(
  before: JsonRecord,
  after: JsonRecord,
  pointer: string,
  changes: FieldChange[],
): void {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    // Of a Secret only the keys are shown, so each needs a line even where all data is new.
    const keyed =
      pointer === '' && KEYED_MEMBERS.has(key) && (isRecord(before[key]) || isRecord(after[key]));
    const absent = keyed ? {} : undefined;
    compare(
      before[key] ?? absent,
      after[key] ?? absent,
      `${pointer}/${escapePathComponent(key)}`,
      changes,
    );
  }
}

/** Pointers of entries that are gone count as in the list before, all others as in the list after. */
function compareLists(
  before: unknown[],
  after: unknown[],
  pointer: string,
  changes: FieldChange[],
): void {
  const named = namesOf(before) && namesOf(after);
  after.forEach((entry, index) => {
    const partner = named
      ? before.find(candidate => nameOf(candidate) === nameOf(entry))
      : before[index];
    compare(partner, entry, `${pointer}/${index}`, changes);
  });
  before.forEach((entry, index) => {
    const stays = named
      ? after.some(candidate => nameOf(candidate) === nameOf(entry))
      : index < after.length;
    if (!stays) {
      changes.push({
        pointer: `${pointer}/${index}`,
        kind: 'removed',
        before: entry,
      });
    }
  });
}

function namesOf(list: unknown[]): boolean {
  const names = list.map(nameOf);
  return names.every(name => name !== undefined) && new Set(names).size === names.length;
}

function nameOf(entry: unknown): unknown {
  return isRecord(entry) && typeof entry.name === 'string' ? entry.name : undefined;
}

const LAST_APPLIED_POINTER = `/metadata/annotations/${escapePathComponent(
  LAST_APPLIED_ANNOTATION,
)}`;

function masked(change: FieldChange): FieldChange {
  const { pointer } = change;
  const secret =
    /^\/(data|stringData)(\/|$)/.test(pointer) ||
    pointer.startsWith(LAST_APPLIED_POINTER) ||
    pointer.startsWith('/metadata/annotations');
  if (!secret) {
    return change;
  }
  return {
    pointer,
    kind: change.kind,
    ...('before' in change && { before: VALUE_CHANGED }),
    ...('after' in change && { after: VALUE_CHANGED }),
  };
}

/**
 * The fields that a manifest would set to something else. For where the API
 * server gave no answer to compare with: what the manifest does not name is not
 * looked at, since the server may have filled it.
 */
export function changesOfDesired(live: KubernetesObject, desired: KubernetesObject): FieldChange[] {
  const overlay = overlaid(withoutNoise(live), withoutNoise(desired));
  return fieldChanges(live, overlay as KubernetesObject);
}

function overlaid(live: unknown, desired: unknown): unknown {
  if (isRecord(live) && isRecord(desired)) {
    const keys = [...new Set([...Object.keys(live), ...Object.keys(desired)])];
    return Object.fromEntries(
      keys.map(key => [key, key in desired ? overlaid(live[key], desired[key]) : live[key]]),
    );
  }
  if (Array.isArray(live) && Array.isArray(desired)) {
    const named = namesOf(live) && namesOf(desired);
    return desired.map((entry, index) =>
      overlaid(
        named ? live.find(candidate => nameOf(candidate) === nameOf(entry)) : live[index],
        entry,
      ),
    );
  }
  return desired;
}
