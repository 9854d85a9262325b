import type { DocumentError } from './errors/DocumentError';
import { formatPath, isRecord } from './errors/path';
import { MANIFEST_RULES } from './yaml/rules';
import { locate } from './yaml/locate';
import { readYaml, type YamlDocument } from './yaml/readYaml';

/** A Kubernetes object as it was written; unknown keys stay (field case C03). */
export type ManifestObject = Record<string, unknown>;

/**
 * Reads Kubernetes manifests from YAML or JSON by the same rules as documents.
 * Lists are opened. Never throws.
 *
 * @param options - `name`: the file or address, which errors then name
 */
export function parseManifests(
  text: string,
  options: { name?: string } = {},
): { objects: ManifestObject[]; errors: DocumentError[] } {
  const name = options.name ?? 'manifests';
  const { documents, problems } = readYaml(text, MANIFEST_RULES);
  const errors: DocumentError[] = problems.map(({ index, path, message, line, column }) => ({
    document: index === undefined ? name : `${name}, document ${index + 1}`,
    path: formatPath(path),
    message,
    line,
    column,
  }));
  const objects: ManifestObject[] = [];
  for (const document of documents) {
    const report = (message: string, path: string) => {
      const { line, column } = locate(document, []);
      errors.push({
        document: `${name}, document ${document.index + 1}`,
        path,
        message,
        line,
        column,
      });
    };
    objects.push(...openLists(document, report));
  }
  return { objects, errors };
}

function openLists(
  document: YamlDocument,
  report: (message: string, path: string) => void,
): ManifestObject[] {
  const objects: ManifestObject[] = [];
  const waiting: { value: unknown; path: string }[] = [{ value: document.value, path: '' }];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { value, path } = next;
    if (
      !isRecord(value) ||
      typeof value.apiVersion !== 'string' ||
      typeof value.kind !== 'string'
    ) {
      report('is no Kubernetes object: apiVersion and kind must be there, as text', path);
    } else if (value.kind.endsWith('List') && Array.isArray(value.items)) {
      waiting.unshift(...itemsOf(value, value.items, path));
    } else {
      objects.push(value);
    }
  }
  return objects;
}

/** Entries of a typed list (`ConfigMapList`) may leave out what the list says. */
function itemsOf(
  list: ManifestObject,
  items: unknown[],
  path: string,
): { value: unknown; path: string }[] {
  const { apiVersion } = list;
  const kind = String(list.kind).slice(0, -'List'.length);
  return items.map((item, index) => ({
    value: isRecord(item) && kind !== '' ? { apiVersion, kind, ...item } : item,
    path: path === '' ? `items[${index}]` : `${path}.items[${index}]`,
  }));
}
