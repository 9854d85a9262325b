import type { TargetState } from 'backstage-plugin-multicluster-release-common';
import type { Knex } from 'knex';
import type { TargetRun } from '../../../decide/types';
import { pageLimit, pageOf, readCursor } from '../../cursor';
import { targetRun } from '../../rows/targetRow';
import type { TargetRow } from '../../rows/targetRow';
import type { Page, PageRequest } from '../../types';

export interface TargetsQuery extends PageRequest {
  group?: string;
  states?: TargetState[];
  /** Part of the cluster's or namespace's name. */
  search?: string;
}

/** Targets of a release in the order of its plan, page by page. @throws InputError on a bad limit or cursor. */
export async function listTargets(
  database: Knex,
  releaseId: string,
  query: TargetsQuery,
): Promise<Page<TargetRun>> {
  const limit = pageLimit(query);
  const cursor = readCursor(query.cursor, ['number']);
  const select = database<TargetRow>('release_targets')
    .select('ordinal', 'inventory', 'detail')
    .where('release_id', releaseId)
    .orderBy('ordinal')
    .limit(limit + 1);
  if (query.group !== undefined) {
    select.where('group_name', query.group);
  }
  if (query.states) {
    select.whereIn('state', query.states);
  }
  if (query.search) {
    select.where(found => contains(found, query.search ?? ''));
  }
  if (cursor) {
    select.where('ordinal', '>', cursor[0]);
  }
  const rows = await select;
  const page = pageOf(rows, limit, row => [row.ordinal]);
  return { ...page, items: page.items.map(targetRun) };
}

/** Kubernetes names are lower case and hold none of the characters that `like` knows. */
function contains(query: Knex.QueryBuilder, search: string): void {
  const pattern = `%${search.toLowerCase().replace(/[%_\\]/g, '\\$&')}%`;
  query
    .whereRaw("cluster like ? escape '\\'", [pattern])
    .orWhereRaw("namespace like ? escape '\\'", [pattern]);
}
