import type { ReleaseView } from 'backstage-plugin-multicluster-release-common';
import { isRemoval, isRollback, type Texts } from '../../text';

/**
 * What a cluster leaves when it goes back within the release that changed it: what that
 * brings. Undefined for a release that is a way back itself: its lanes say where each
 * cluster comes from.
 */
export function leavesOnWayBack(release: ReleaseView, { text }: Texts): string | undefined {
  if (isRollback(release)) {
    return undefined;
  }
  return isRemoval(release) ? text('versions.nothing') : release.targetVersion;
}
