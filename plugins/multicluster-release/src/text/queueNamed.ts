import type { ReleaseView } from 'backstage-plugin-multicluster-release-common';

/** The release with the version of what it queues behind, where that is among `releases`. */
export function queueNamed(release: ReleaseView, releases: ReleaseView[]): ReleaseView {
  const waiting = release.waiting.map(cause => {
    const ahead = releases.find(({ id }) => cause.code === 'queue' && id === cause.params.id);
    return ahead ? { ...cause, params: { ...cause.params, version: ahead.targetVersion } } : cause;
  });
  return { ...release, waiting };
}
