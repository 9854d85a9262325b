import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { SourceUnreadableError } from './SourceUnreadableError';
import type { SourceLocation } from './types';

/**
 * Where a document's reference leads. Pure.
 *
 * @param reference - `url:https://…`, `https://…`, `file:./k8s` or `./k8s`
 * @param base - the document that says so; undefined where it was sent and has no place of its own
 * @param allowFiles - files of this machine may be read at all
 * @throws SourceUnreadableError where a file would be above the folder of its document
 */
export function resolveLocation(
  reference: string,
  base: SourceLocation | undefined,
  allowFiles: boolean,
): SourceLocation {
  const path = reference.replace(/^(url|file|dir):/, '');
  if (/^https?:\/\//.test(path)) {
    return { type: 'url', target: path };
  }
  if (!base) {
    throw new SourceUnreadableError(
      reference,
      'a relative location needs a document that was read from a repository. Give a URL, or `inline` manifests.',
    );
  }
  return base.type === 'url' ? relativeUrl(path, base) : fileBelow(path, base, allowFiles);
}

function relativeUrl(path: string, base: SourceLocation): SourceLocation {
  if (isAbsolute(path)) {
    throw new SourceUnreadableError(
      path,
      `is absolute; write it relative to ${base.target}, or as a whole URL.`,
    );
  }
  const url = new URL(path, base.target);
  return { type: 'url', target: url.toString() };
}

function fileBelow(path: string, base: SourceLocation, allowFiles: boolean): SourceLocation {
  if (!allowFiles) {
    throw new SourceUnreadableError(
      path,
      'files of the backend are not read. Use a URL, or set multiclusterRelease.development.allowFileSources.',
    );
  }
  const folder = dirname(base.target);
  const target = resolve(folder, path);
  if (isAbove(folder, target)) {
    throw new SourceUnreadableError(
      path,
      `is not within ${folder}. Keep what a document refers to beside or below it.`,
    );
  }
  return { type: 'file', target };
}

export function isAbove(folder: string, target: string): boolean {
  const way = relative(folder, target);
  return way.startsWith('..') || isAbsolute(way);
}

/** `url:…` or `file:…`, as the catalog writes into `backstage.io/managed-by-location`. */
export function readLocationRef(ref: string): SourceLocation | undefined {
  const [, type, target] = /^(url|file):(.+)$/.exec(ref) ?? [];
  return (type === 'url' || type === 'file') && target ? { type, target } : undefined;
}
