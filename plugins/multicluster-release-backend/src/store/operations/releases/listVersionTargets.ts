import type { Knex } from 'knex';
import type { TargetRun } from '../../../decide/types';
import { chunkKeys } from '../../dialect';
import { targetRun } from '../../rows/targetRow';
import type { TargetRow } from '../../rows/targetRow';

export interface VersionTargetsQuery {
  service: string;
  version: string;
  clusters: string[];
}

/**
 * What the newest releases of a service made of these clusters: those that brought
 * one version, back to the last one that brought another. In no order.
 */
export async function listVersionTargets(
  database: Knex,
  { service, version, clusters }: VersionTargetsQuery,
): Promise<TargetRun[]> {
  const [{ other }] = await database('releases')
    .where({ service })
    .whereNot('target_version', version)
    .max<{ other: string | number | null }[]>('created_at as other');
  const found: TargetRun[] = [];
  for (const names of chunkKeys(clusters)) {
    const rows = await database('release_targets')
      .join('releases', 'releases.id', 'release_targets.release_id')
      .select<Pick<TargetRow, 'inventory' | 'detail'>[]>(
        'release_targets.inventory',
        'release_targets.detail',
      )
      .where({ 'releases.service': service, 'releases.target_version': version })
      .where('releases.created_at', '>', Number(other ?? -1))
      .whereIn('release_targets.cluster', names);
    found.push(...rows.map(targetRun));
  }
  return found;
}
