import type { Knex } from 'knex';
import type { ContentCipher } from '../../encryption/ContentCipher';
import { definitionSummary } from '../../rows/definitionRow';
import type { DefinitionRow } from '../../rows/definitionRow';
import type { DefinitionOwner, DefinitionRecord } from '../../types';
import { unpackBody } from './definitionBody';

export interface DefinitionQuery {
  owner: DefinitionOwner;
  /** Undefined: the newest. */
  revision?: string;
}

/**
 * One revision with its text, or undefined where there is none.
 * @throws ServiceUnavailableError when its encryption key is not configured.
 */
export async function getDefinition(
  database: Knex,
  { owner, revision }: DefinitionQuery,
  cipher: ContentCipher,
): Promise<DefinitionRecord | undefined> {
  const select = database<DefinitionRow>('definitions').where(owner).orderBy('number', 'desc');
  if (revision !== undefined) {
    select.where({ revision });
  }
  const row = await select.first();
  return (
    row && {
      ...definitionSummary(row),
      ...(await unpackBody(owner, row, cipher)),
    }
  );
}
