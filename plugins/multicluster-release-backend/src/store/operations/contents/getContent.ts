import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { NotFoundError } from '@backstage/errors';
import { contentDigest } from 'backstage-plugin-multicluster-release-node';
import type {
  KubernetesObject,
  ObjectId,
  StoredContent,
} from 'backstage-plugin-multicluster-release-node';
import type { Knex } from 'knex';
import { readTransaction } from '../../dialect';
import type { ContentCipher } from '../../encryption/ContentCipher';
import { fromJson } from '../../json';

interface ContentRow {
  digest: string;
  version: string;
  config_version: string | null;
  key_id: string | null;
  withheld_secrets: string;
}

const decompress = promisify(gunzip);

/**
 * Content by its digest, which is checked where nothing is withheld.
 * @throws NotFoundError when it is not stored.
 * @throws ServiceUnavailableError when its encryption key is not configured.
 */
export async function getContent(
  database: Knex,
  digest: string,
  cipher: ContentCipher,
): Promise<StoredContent> {
  const { row, bytes } = await readTransaction(database, tx => readRows(tx, digest));
  const compressed =
    row.key_id === null
      ? bytes
      : await cipher.open({ keyId: row.key_id, bytes }, `content ${digest}`);
  const objects = fromJson<KubernetesObject[]>((await decompress(compressed)).toString());
  const withheldSecrets = fromJson<ObjectId[]>(row.withheld_secrets);
  if (withheldSecrets.length === 0 && contentDigest(objects) !== digest) {
    throw new Error(
      `content ${digest}: what is stored is something else; restore the database from a backup`,
    );
  }
  return {
    digest,
    version: row.version,
    configVersion: row.config_version ?? undefined,
    objects,
    withheldSecrets,
  };
}

async function readRows(tx: Knex.Transaction, digest: string) {
  const row = await tx<ContentRow>('contents').where({ digest }).first();
  if (!row) {
    throw new NotFoundError(
      `content ${digest} is not stored; preview the release again to store it`,
    );
  }
  const chunks = await tx('content_chunks')
    .select<{ data: Buffer }[]>('data')
    .where({ digest })
    .orderBy('ordinal');
  return { row, bytes: Buffer.concat(chunks.map(chunk => chunk.data)) };
}
