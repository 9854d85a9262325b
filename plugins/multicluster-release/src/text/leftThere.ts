import type { TargetView, VersionRef } from 'backstage-plugin-multicluster-release-common';
import type { Texts } from './Texts';

/** What the server calls content that was live before the first release, and has no version of ours. */
const BEFORE_ADOPTION = 'before adoption';

/**
 * What a release has left on a cluster that it is done with, forward or back;
 * undefined: nothing that was released.
 */
export function leftThere({ state, from, to, weight }: TargetView): VersionRef | undefined {
  // Where a release that went back never came is `Unchanged`, too.
  const isUntouched = state === 'Unchanged' && weight.observed === 0;
  const left = isUntouched ? from : to;
  return releasedVersion(left?.version) === undefined ? undefined : left;
}

/** A version for people: what was live before the first release is told in words. */
export function versionName(version: string, { text }: Pick<Texts, 'text'>): string {
  return releasedVersion(version) ?? text('versions.beforeAdoption');
}

/** A version as it stands on record; undefined: nothing that was released. */
export function releasedVersion(version: string | undefined): string | undefined {
  return version === BEFORE_ADOPTION ? undefined : version;
}
