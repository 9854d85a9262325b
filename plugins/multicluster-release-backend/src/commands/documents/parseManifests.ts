import { parseManifests as parseManifestText } from 'backstage-plugin-multicluster-release-common';
import { DocumentsRefusedError, type Fault } from '../errors';
import type { SourceFile } from '../sources';
import { faultOf } from './readDocuments';

/**
 * Manifests of files, as their authors wrote them.
 *
 * @param location - where the files are, for messages
 * @throws DocumentsRefusedError with every fault of every file; or where there is none at all
 */
export function parseManifests(location: string, files: SourceFile[]): unknown[] {
  const faults: Fault[] = [];
  const objects = files.flatMap(({ path, text }) => {
    const parsed = parseManifestText(text, { name: path });
    faults.push(...parsed.errors.map(error => ({ ...faultOf(error), code: 'InvalidManifest' })));
    return parsed.objects;
  });
  if (objects.length === 0 && faults.length === 0) {
    const message = `${location} holds no manifests (.yaml, .yml or .json). Correct spec.source.manifests.location.`;
    faults.push({ code: 'NoManifests', message, path: 'spec.source.manifests.location' });
  }
  if (faults.length > 0) {
    throw new DocumentsRefusedError(faults[0].code, faults);
  }
  return objects;
}
