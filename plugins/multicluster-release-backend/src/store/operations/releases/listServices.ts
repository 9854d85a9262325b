import type { Knex } from 'knex';
import { pageLimit, pageOf, readCursor } from '../../cursor';
import type { Page, PageRequest } from '../../types';

/** Entity refs of services that ever had a release, by name, page by page. */
export async function listServices(database: Knex, query: PageRequest): Promise<Page<string>> {
  const limit = pageLimit(query);
  const cursor = readCursor(query.cursor, ['string']);
  const select = database('services')
    .select<{ service: string }[]>('service')
    .orderBy('service')
    .limit(limit + 1);
  if (cursor) {
    select.where('service', '>', cursor[0]);
  }
  const rows = await select;
  return pageOf(
    rows.map(row => row.service),
    limit,
    service => [service],
  );
}
