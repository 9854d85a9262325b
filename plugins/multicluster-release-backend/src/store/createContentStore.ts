import type { ContentStore } from 'backstage-plugin-multicluster-release-node';
import type { Knex } from 'knex';
import type { ContentCipher } from './encryption/ContentCipher';
import { getContent } from './operations/contents/getContent';
import { putContent } from './operations/contents/putContent';
import type { Clock } from './types';

export interface ContentStoreOptions {
  cipher: ContentCipher;
  clock: Clock;
}

/** The node package's port to stored content, over the database. */
export function createContentStore(
  database: Knex,
  { cipher, clock }: ContentStoreOptions,
): ContentStore {
  return {
    put: content => putContent(database, content, { cipher, now: clock() }),
    get: digest => getContent(database, digest, cipher),
  };
}
