import type { ContentRef } from 'backstage-plugin-multicluster-release-common';

/*
 * The versions of the simulated service. Each brings other objects, so that what
 * an older one leaves behind can be seen.
 */
const OBJECTS: Record<string, string[]> = {
  '0.9.0': ['config', 'workload'],
  '1.0.0': ['config', 'workload'],
  '2.0.0': ['config', 'extra', 'workload'],
  '3.0.0': ['monitor', 'workload'],
};

/** The one that runs before the first managed release of an adopted cluster. */
export const VERSION_BEFORE = '0.9.0';
export const FIRST_VERSION = '1.0.0';
export const VERSIONS = ['2.0.0', '3.0.0', '1.0.0'];

/** Nothing is overridden anywhere: every cluster gets the same. */
export function contentOf(version: string): ContentRef {
  return { digest: `${version}@all`, version };
}

export function versionOf(digest: string): string {
  return digest.split('@')[0];
}

/** The new version beside what ran before, where a step brings it to a weight only. */
export const COPY = 'copy';

/** Names of the objects of a content, in the order in which they are applied. */
export function objectsOf(digest: string, weighted = false): string[] {
  return weighted ? [COPY] : OBJECTS[versionOf(digest)];
}
