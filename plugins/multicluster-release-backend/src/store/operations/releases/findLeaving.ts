import type { Knex } from 'knex';
import {
  FINAL_STATES,
  targetKey,
  type TargetKey,
  type TargetRef,
} from 'backstage-plugin-multicluster-release-common';

/** Where releases that have not ended are taking the service away: what runs there still is no replacement for anything. */
export async function findLeaving(database: Knex, service: string): Promise<TargetKey[]> {
  const rows = await database('release_targets')
    .join('releases', 'releases.id', 'release_targets.release_id')
    .select<TargetRef[]>('release_targets.cluster', 'release_targets.namespace')
    .where({ 'releases.service': service, 'releases.strategy': REMOVAL })
    .whereNotIn('releases.state', FINAL_STATES);
  return rows.map(targetKey);
}

/** The strategy of a release that takes its service off a cluster. */
export const REMOVAL = 'Removal';
