import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { contentDigest } from 'backstage-plugin-multicluster-release-node';
import type { KubernetesObject, ObjectId } from 'backstage-plugin-multicluster-release-node';
import type { Knex } from 'knex';
import { lockRows } from '../../dialect';
import type { ContentCipher } from '../../encryption/ContentCipher';
import { withholdSecretData } from '../../encryption/withholdSecretData';
import { toJson } from '../../json';

export interface ContentToStore {
  version: string;
  configVersion?: string;
  objects: KubernetesObject[];
}

export interface PutContentOptions {
  cipher: ContentCipher;
  now: number;
}

interface Body {
  /** Null where Secret data is withheld instead of encrypted. */
  keyId: string | null;
  bytes: Buffer;
  withheldSecrets: ObjectId[];
}

const CHUNK_BYTES = 256 * 1024;
const compress = promisify(gzip);

/**
 * Stores content and answers its digest, which is that of the objects as they
 * came. Storing again only renews the time, unless it is kept under an older key
 * or without one: then it is written anew with the key that writes now.
 */
export async function putContent(
  database: Knex,
  content: ContentToStore,
  { cipher, now }: PutContentOptions,
): Promise<string> {
  const digest = contentDigest(content.objects);
  const known = await database('contents')
    .where({ digest, key_id: cipher.writingKeyId ?? null })
    .update({ stored_at: now });
  if (known === 1) {
    return digest;
  }
  // Compressing and encrypting take a while: not inside of the transaction.
  const body = await makeBody(content, digest, cipher);
  await database.transaction(tx => write(tx, { content, digest, body, now }));
  return digest;
}

async function makeBody(
  content: ContentToStore,
  digest: string,
  cipher: ContentCipher,
): Promise<Body> {
  if (cipher.writingKeyId === undefined) {
    const { objects, withheldSecrets } = withholdSecretData(content.objects);
    return {
      keyId: null,
      bytes: await compress(toJson(objects)),
      withheldSecrets,
    };
  }
  const sealed = await cipher.seal(await compress(toJson(content.objects)), `content ${digest}`);
  if (!sealed) {
    throw new Error(`content ${digest}: not encrypted although a key is configured`);
  }
  return { ...sealed, withheldSecrets: [] };
}

interface Writing {
  content: ContentToStore;
  digest: string;
  body: Body;
  now: number;
}

async function write(tx: Knex.Transaction, { content, digest, body, now }: Writing): Promise<void> {
  const columns = {
    key_id: body.keyId,
    withheld_secrets: toJson(body.withheldSecrets),
    stored_at: now,
  };
  await tx('contents')
    .insert({
      digest,
      version: content.version,
      config_version: content.configVersion ?? null,
      ...columns,
    })
    .onConflict('digest')
    .ignore();
  const query = tx('contents').select<{ key_id: string | null }[]>('key_id').where({ digest });
  const [{ key_id }] = await lockRows(tx, query);
  const [{ chunks }] = await tx('content_chunks').where({ digest }).count({ chunks: '*' });
  // Without a key we cannot do better than what an earlier key has kept.
  if (Number(chunks) > 0 && (key_id === body.keyId || body.keyId === null)) {
    await tx('contents').where({ digest }).update({ stored_at: now });
    return;
  }
  await tx('content_chunks').where({ digest }).delete();
  await tx('contents').where({ digest }).update(columns);
  for (let ordinal = 0; ordinal * CHUNK_BYTES < body.bytes.length; ordinal += 1) {
    const data = body.bytes.subarray(ordinal * CHUNK_BYTES, (ordinal + 1) * CHUNK_BYTES);
    await tx('content_chunks').insert({ digest, ordinal, data });
  }
}
