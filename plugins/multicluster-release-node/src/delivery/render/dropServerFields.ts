import type { KubernetesObject } from '../../ports';
import { copyOf, isRecord } from '../json';

const SERVER_METADATA = [
  'managedFields',
  'resourceVersion',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generation',
  'selfLink',
];

/** A copy without what only the API server writes; manifests that were read from a cluster have it. */
export function dropServerFields(object: KubernetesObject): KubernetesObject {
  const copy = copyOf(object);
  delete copy.status;
  for (const field of SERVER_METADATA) {
    delete copy.metadata[field];
  }
  dropEmptyTimestamps(copy);
  return copy;
}

/** Generators write `creationTimestamp: null` into every template. */
function dropEmptyTimestamps(value: unknown): void {
  if (Array.isArray(value)) {
    value.forEach(dropEmptyTimestamps);
    return;
  }
  if (!isRecord(value)) {
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    if (key === 'metadata' && isRecord(member) && member.creationTimestamp === null) {
      delete member.creationTimestamp;
    }
    dropEmptyTimestamps(member);
  }
}
