import type { ReleaseView } from 'backstage-plugin-multicluster-release-common';

/** The release of the same service that was started next; undefined: none is known. `releases`: in any order. */
export function nextNewer(
  { createdAt }: ReleaseView,
  releases: ReleaseView[],
): ReleaseView | undefined {
  return releases
    .filter(other => other.createdAt > createdAt)
    .sort((a, b) => a.createdAt - b.createdAt)
    .at(0);
}
