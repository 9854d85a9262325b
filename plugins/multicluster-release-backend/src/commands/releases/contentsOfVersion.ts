import type { ContentRef, TargetKey } from 'backstage-plugin-multicluster-release-common';
import { listReleases, loadRuns } from '../../store';
import type { CommandContext } from '../CommandContext';
import { versionContents } from './versionContents';

/** What retained releases of that version brought to each target, the newest of them. */
export async function contentsOfVersion(
  { database }: CommandContext,
  service: string,
  version: string,
): Promise<Map<TargetKey, ContentRef>> {
  const { items } = await listReleases(database, { services: [service], limit: 500 });
  const ids = items.filter(release => release.targetVersion === version).map(({ id }) => id);
  const runs = await loadRuns(database, ids);
  return versionContents(
    ids.flatMap(id => runs.get(id)?.run ?? []),
    version,
  );
}
