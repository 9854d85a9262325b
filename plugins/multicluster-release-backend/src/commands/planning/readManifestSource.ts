import type { CommandContext } from '../CommandContext';
import type { ManifestSource } from '../documents/DocumentModel';
import { parseManifests } from '../documents/parseManifests';
import { atRevision, resolveLocation, type SourceLocation } from '../sources';

export interface ManifestRequest {
  source: ManifestSource;
  /** Without a leading `v`. */
  version: string;
  /** Where the template was read; undefined where it was sent. */
  base?: SourceLocation;
}

export interface ManifestSet {
  objects: unknown[];
  /** Commit or ETag of what was read. */
  revision?: string;
}

/**
 * The manifests of a template, as their author wrote them.
 *
 * @throws SourceUnreadableError or DocumentsRefusedError that names the file
 */
export async function readManifestSource(
  { sources, settings }: Pick<CommandContext, 'sources' | 'settings'>,
  { source, version, base }: ManifestRequest,
): Promise<ManifestSet> {
  if ('inline' in source) {
    return { objects: source.inline };
  }
  const { allowFileSources } = settings;
  const place = resolveLocation(source.location, base, allowFileSources);
  const location = atRevision(place, source.ref?.replace(/\$\{version\}/g, version));
  const { files, revision } = await sources.readFiles(location);
  return { objects: parseManifests(location.target, files), revision };
}
