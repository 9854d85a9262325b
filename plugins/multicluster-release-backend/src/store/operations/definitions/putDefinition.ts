import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { isDuplicateKey } from '../../dialect';
import type { ContentCipher } from '../../encryption/ContentCipher';
import type { DefinitionRow } from '../../rows/definitionRow';
import type { DefinitionToStore, PutDefinitionResult } from '../../types';
import { packBody } from './definitionBody';

/**
 * Stores a new revision of documents. `unchanged`: the newest revision has the
 * same text, place and commit. `moved`: somebody else stored one meanwhile.
 * @throws InputError when it holds Secret data and no encryption key is configured.
 */
export async function putDefinition(
  database: Knex,
  definition: DefinitionToStore,
  cipher: ContentCipher,
): Promise<PutDefinitionResult> {
  const { owner, ifMatch } = definition;
  const newest = await findNewest(database, definition);
  if (ifMatch !== undefined && ifMatch !== (newest?.revision ?? 'none')) {
    return { result: 'moved', revision: newest?.revision };
  }
  const number = (newest?.number ?? 0) + 1;
  const textDigest = createHash('sha256').update(definition.text).digest('hex').slice(0, 12);
  if (newest && isSame(newest, definition, textDigest)) {
    return { result: 'unchanged', revision: newest.revision };
  }
  const revision = `${number}-${textDigest}`;
  const { keyId, bytes } = await packBody(owner, definition, cipher);
  try {
    await database('definitions').insert({
      ...owner,
      number,
      revision,
      key_id: keyId,
      body: bytes,
      location: definition.location ?? null,
      commit: definition.commit ?? null,
      author: definition.author,
      created_at: definition.now,
    });
  } catch (error) {
    if (!isDuplicateKey(error)) {
      throw error;
    }
    // Somebody stored this number first: judge again against theirs.
    return putDefinition(database, definition, cipher);
  }
  return { result: 'stored', revision };
}

type Newest = Pick<DefinitionRow, 'number' | 'revision' | 'location' | 'commit'>;

async function findNewest(
  database: Knex,
  { owner }: DefinitionToStore,
): Promise<Newest | undefined> {
  return database<DefinitionRow>('definitions')
    .where(owner)
    .orderBy('number', 'desc')
    .first('number', 'revision', 'location', 'commit');
}

function isSame(newest: Newest, definition: DefinitionToStore, textDigest: string): boolean {
  return (
    newest.revision === `${newest.number}-${textDigest}` &&
    newest.location === (definition.location ?? null) &&
    newest.commit === (definition.commit ?? null)
  );
}
