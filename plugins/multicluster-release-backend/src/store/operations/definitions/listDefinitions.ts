import type { Knex } from 'knex';
import { pageLimit, pageOf, readCursor } from '../../cursor';
import { definitionSummary } from '../../rows/definitionRow';
import type { DefinitionRow } from '../../rows/definitionRow';
import type { DefinitionOwner, DefinitionSummary, Page, PageRequest } from '../../types';

/** The newest revision of each owner in a scope, by name, page by page. */
export async function listDefinitions(
  database: Knex,
  scope: DefinitionOwner['scope'],
  query: PageRequest,
): Promise<Page<DefinitionSummary>> {
  const limit = pageLimit(query);
  const cursor = readCursor(query.cursor, ['string']);
  const newest = database('definitions')
    .select('name')
    .max({ number: 'number' })
    .where({ scope })
    .groupBy('name');
  const select = database<DefinitionRow>('definitions')
    .select('scope', 'name', 'number', 'revision', 'location', 'commit', 'author', 'created_at')
    .where({ scope })
    .whereIn(['name', 'number'], newest)
    .orderBy('name')
    .limit(limit + 1);
  if (cursor) {
    select.where('name', '>', cursor[0]);
  }
  const page = pageOf(await select, limit, row => [row.name]);
  return { ...page, items: page.items.map(definitionSummary) };
}
