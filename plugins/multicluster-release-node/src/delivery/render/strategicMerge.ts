import { copyOf, isRecord, type JsonRecord } from '../json';
import { exclusiveMembers } from './exclusiveMembers';
import { mergeKeyOf, type MergeKey } from './mergeKeys';
import { RenderError } from './RenderError';

interface Place {
  /** What messages lead with. */
  subject: string;
  groupKind: string;
  /** Keys from the root, without list positions. */
  path: string[];
}

/**
 * Lays a strategic-merge patch over an object and answers the result: objects are
 * merged, `null` removes, lists with a merge key are merged entry by entry, other
 * lists are replaced. `$patch: delete` and `$patch: replace` act as in Kubernetes.
 *
 * @throws RenderError where a list entry has no key, or a directive is not known
 */
export function strategicMerge(
  base: JsonRecord,
  patch: JsonRecord,
  about: { subject: string; groupKind: string },
): JsonRecord {
  return mergeRecords(base, patch, { ...about, path: [] });
}

function mergeRecords(base: JsonRecord, patch: JsonRecord, place: Place): JsonRecord {
  const directive = directiveOf(patch, place);
  const additions = withoutDirective(patch);
  if (directive === 'replace') {
    return copyOf(additions);
  }
  const merged = { ...base };
  for (const member of exclusiveMembers(place.path, base, additions)) {
    delete merged[member];
  }
  for (const [key, value] of Object.entries(additions)) {
    const result = mergeValues(merged[key], value, {
      ...place,
      path: [...place.path, key],
    });
    if (result === undefined) {
      delete merged[key];
    } else {
      merged[key] = result;
    }
  }
  return merged;
}

/** undefined: the member goes. */
function mergeValues(base: unknown, patch: unknown, place: Place): unknown {
  if (patch === null) {
    return undefined;
  }
  if (isRecord(patch)) {
    if (directiveOf(patch, place) === 'delete') {
      return undefined;
    }
    return mergeRecords(isRecord(base) ? base : {}, patch, place);
  }
  if (!Array.isArray(patch)) {
    return patch;
  }
  const key = mergeKeyOf(place.groupKind, place.path);
  return key
    ? mergeLists(Array.isArray(base) ? base : [], patch, key, place)
    : plainList(patch, place);
}

function mergeLists(base: unknown[], patch: unknown[], key: MergeKey, place: Place): unknown[] {
  const entries = patch.map((entry, index) => keyedEntry(entry, index, key, place));
  const replaced = entries.some(entry => entry === 'replace-list');
  let merged: unknown[] = replaced ? [] : [...base];
  for (const entry of entries) {
    if (entry === 'replace-list') {
      continue;
    }
    const position = merged.findIndex(
      candidate => isRecord(candidate) && keyText(candidate, key) === keyText(entry, key),
    );
    if (directiveOf(entry, place) === 'delete') {
      merged = merged.filter((_, index) => index !== position);
    } else if (position < 0) {
      merged.push(mergeRecords({}, entry, place));
    } else {
      merged[position] = mergeRecords(merged[position] as JsonRecord, entry, place);
    }
  }
  return merged;
}

function keyedEntry(
  entry: unknown,
  index: number,
  key: MergeKey,
  place: Place,
): JsonRecord | 'replace-list' {
  const where = `${place.subject}: ${place.path.join('.')}[${index}]`;
  if (!isRecord(entry)) {
    throw new RenderError(
      'PatchInvalid',
      { place: where },
      `${where} of the patch is no object. Write the entry as an object.`,
    );
  }
  if (directiveOf(entry, place) === 'replace' && Object.keys(entry).length === 1) {
    return 'replace-list';
  }
  const missing = key.fields.filter(
    field => entry[field] === undefined && key.defaults?.[field] === undefined,
  );
  if (missing.length > 0) {
    throw new RenderError(
      'ListEntryWithoutKey',
      { place: where, key: missing.join(', ') },
      `${where} of the patch: list entry has no ${missing.join(
        ', ',
      )}; nothing rendered. Add it, so that it is clear which entry is meant.`,
    );
  }
  return entry;
}

function keyText(entry: JsonRecord, key: MergeKey): string {
  return JSON.stringify(key.fields.map(field => entry[field] ?? key.defaults?.[field]));
}

/** A list without a merge key is replaced; `{$patch: replace}` in it only says so. */
function plainList(patch: unknown[], place: Place): unknown[] {
  const entries = patch.filter(
    entry =>
      !(
        isRecord(entry) &&
        directiveOf(entry, place) === 'replace' &&
        Object.keys(entry).length === 1
      ),
  );
  const deleting = entries.some(entry => isRecord(entry) && directiveOf(entry, place) === 'delete');
  if (deleting) {
    throw new RenderError(
      'PatchInvalid',
      { place: `${place.subject}: ${place.path.join('.')}` },
      `${place.subject}: ${place.path.join(
        '.',
      )} has no merge key, so "$patch: delete" cannot pick an entry. Give the whole list, or use a JSON 6902 patch.`,
    );
  }
  return copyOf(entries);
}

function directiveOf(patch: JsonRecord, place: Place): 'delete' | 'replace' | undefined {
  const unknown = Object.keys(patch).find(
    key =>
      key.startsWith('$') &&
      !(key === '$patch' && ['delete', 'replace', 'merge'].includes(String(patch.$patch))),
  );
  if (unknown) {
    const where = [...place.path, unknown].join('.');
    throw new RenderError(
      'PatchDirectiveUnknown',
      { place: `${place.subject}: ${where}` },
      `${place.subject}: ${where}: this directive is not known. Use "$patch: delete" or "$patch: replace", or a JSON 6902 patch.`,
    );
  }
  return patch.$patch === 'delete' || patch.$patch === 'replace' ? patch.$patch : undefined;
}

function withoutDirective(patch: JsonRecord): JsonRecord {
  const { $patch: _directive, ...rest } = patch;
  return rest;
}
