import type { KubernetesObject } from '../../ports';
import { isRecord, listAt } from '../json';
import { describeObject, idKey, idOf } from '../objectId';
import { isSharedKind } from '../sharedKinds';
import { RenderError } from './RenderError';

/**
 * Parsed manifests as objects: lists are taken apart, empty documents left out.
 *
 * @throws RenderError `ManifestInvalid` where something is no Kubernetes object
 */
export function readManifests(manifests: unknown[]): KubernetesObject[] {
  return manifests.flatMap((manifest, index) => readManifest(manifest, `manifest ${index + 1}`));
}

function readManifest(manifest: unknown, place: string): KubernetesObject[] {
  if (manifest === null || manifest === undefined) {
    return [];
  }
  if (isRecord(manifest) && manifest.apiVersion === 'v1' && manifest.kind === 'List') {
    return listAt(manifest, 'items').flatMap((item, index) =>
      readManifest(item, `${place}, item ${index + 1}`),
    );
  }
  if (!isObject(manifest)) {
    throw new RenderError(
      'ManifestInvalid',
      { place },
      `${place}: apiVersion, kind and metadata.name must be there, as text. Complete the manifest.`,
    );
  }
  return [manifest];
}

function isObject(value: unknown): value is KubernetesObject {
  return (
    isRecord(value) &&
    isText(value.apiVersion) &&
    isText(value.kind) &&
    isRecord(value.metadata) &&
    isText(value.metadata.name)
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/** @throws RenderError `DuplicateObject` that names every object which is there twice */
export function refuseDuplicates(objects: KubernetesObject[]): void {
  const seen = new Set<string>();
  const twice = objects.filter(object => {
    const key = idKey(idOf(object));
    const known = seen.has(key);
    seen.add(key);
    return known;
  });
  if (twice.length > 0) {
    const names = twice.map(object => describeObject(idOf(object))).join(', ');
    throw new RenderError(
      'DuplicateObject',
      { objects: names },
      `The manifests hold more than one ${names}. Keep one of each.`,
    );
  }
}

/**
 * A release is done when its objects show our stamp; shared kinds bear none.
 *
 * @throws RenderError `NothingToRelease`
 */
export function refuseNothing(objects: KubernetesObject[]): void {
  if (objects.every(({ kind }) => isSharedKind(kind))) {
    throw new RenderError(
      'NothingToRelease',
      { count: objects.length },
      'The manifests hold nothing but kinds that services share, or nothing at all, so nothing could show that the release is there. Add the objects of the service.',
    );
  }
}
