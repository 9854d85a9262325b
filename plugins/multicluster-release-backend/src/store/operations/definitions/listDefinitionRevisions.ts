import type { Knex } from 'knex';
import { pageLimit, pageOf, readCursor } from '../../cursor';
import { definitionSummary } from '../../rows/definitionRow';
import type { DefinitionRow } from '../../rows/definitionRow';
import type { DefinitionOwner, DefinitionSummary, Page, PageRequest } from '../../types';

/** Revisions of one owner's documents, newest first, page by page. */
export async function listDefinitionRevisions(
  database: Knex,
  owner: DefinitionOwner,
  query: PageRequest,
): Promise<Page<DefinitionSummary>> {
  const limit = pageLimit(query);
  const cursor = readCursor(query.cursor, ['number']);
  const select = database<DefinitionRow>('definitions')
    .select('scope', 'name', 'number', 'revision', 'location', 'commit', 'author', 'created_at')
    .where(owner)
    .orderBy('number', 'desc')
    .limit(limit + 1);
  if (cursor) {
    select.where('number', '<', cursor[0]);
  }
  const page = pageOf(await select, limit, row => [row.number]);
  return { ...page, items: page.items.map(definitionSummary) };
}
