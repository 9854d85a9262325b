import { isRecord } from '../json';
import { RenderError } from './RenderError';

const PLACEHOLDER = '${version}';

/** What a version may consist of; nothing in it can end a string, a tag or a label early. */
const VERSION = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,127}$/;

/** @throws RenderError `VersionUnusable` */
export function checkVersion(version: string): void {
  if (!VERSION.test(version)) {
    throw new RenderError(
      'VersionUnusable',
      { version },
      `Version ${JSON.stringify(
        version,
      )} cannot be put into manifests: use letters, digits, ".", "_", "+" and "-", at most 128 of them.`,
    );
  }
}

/** `v1.2.3` → `1.2.3`; a name such as `vanilla` stays. */
function withoutLeadingV(version: string): string {
  return /^v\d/.test(version) ? version.slice(1) : version;
}

/**
 * Replaces the version's placeholder in the string values of an object, never in
 * keys. A SemVer build part has a `+`, which neither image tags and labels (there
 * it becomes `_`) nor object names (`-`) may have.
 */
export function substituteVersion<T>(value: T, version: string): T {
  return replaceIn(value, withoutLeadingV(version), []) as T;
}

function replaceIn(value: unknown, version: string, path: string[]): unknown {
  if (typeof value === 'string') {
    return value.includes(PLACEHOLDER)
      ? value.split(PLACEHOLDER).join(escapedFor(path, version))
      : value;
  }
  if (Array.isArray(value)) {
    return value.map(entry => replaceIn(entry, version, path));
  }
  if (!isRecord(value)) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, replaceIn(member, version, [...path, key])]),
  );
}

function escapedFor(path: string[], version: string): string {
  const [parent, key] = path.slice(-2);
  if (parent === 'metadata' && (key === 'name' || key === 'namespace')) {
    return version.toLowerCase().replace(/[+_]/g, '-');
  }
  if (parent === 'labels' || parent === 'matchLabels' || path.at(-1) === 'image') {
    return tagOf(version);
  }
  return version;
}

/** The version as image tags and label values can hold it. */
export function tagOf(version: string): string {
  return version.replace(/\+/g, '_');
}
