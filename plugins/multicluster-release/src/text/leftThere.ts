import type { TargetView, VersionRef } from 'backstage-plugin-multicluster-release-common';
import { releasedVersion } from './versionName';

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
