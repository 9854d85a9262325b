import type { ContentRef, TargetKey } from 'backstage-plugin-multicluster-release-common';
import { forwardPlan } from '../../decide/turn';
import { listReleases, loadRuns } from '../../store';
import type { CommandContext } from '../CommandContext';

/** What retained releases of that version brought to each target, the newest of them. */
export async function contentsOfVersion(
  { database }: CommandContext,
  service: string,
  version: string,
): Promise<Map<TargetKey, ContentRef>> {
  const { items } = await listReleases(database, { services: [service], limit: 500 });
  const ids = items.filter(release => release.targetVersion === version).map(({ id }) => id);
  const runs = await loadRuns(database, ids);
  const found = new Map<TargetKey, ContentRef>();
  for (const id of [...ids].reverse()) {
    const run = runs.get(id)?.run;
    for (const target of run ? forwardPlan(run).targets : []) {
      if (target.to?.version === version) {
        found.set(target.key, target.to);
      }
    }
  }
  return found;
}
