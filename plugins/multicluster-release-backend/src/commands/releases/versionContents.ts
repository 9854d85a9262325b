import type { ContentRef, TargetKey } from 'backstage-plugin-multicluster-release-common';
import { forwardPlan } from '../../decide/turn';
import type { ReleaseRun } from '../../decide/types';

/** What these releases, newest first, brought of a version to each target: the newest of them. Pure. */
export function versionContents(runs: ReleaseRun[], version: string): Map<TargetKey, ContentRef> {
  const found = new Map<TargetKey, ContentRef>();
  for (const run of [...runs].reverse()) {
    for (const target of forwardPlan(run).targets) {
      if (target.to?.version === version) {
        found.set(target.key, target.to);
      }
    }
  }
  return found;
}
