import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { InputError } from '@backstage/errors';
import type { ContentCipher } from '../../encryption/ContentCipher';
import { findPlainSecret } from '../../encryption/findPlainSecret';
import { fromJson, toJson } from '../../json';
import type { DefinitionOwner } from '../../types';

export interface DefinitionBody {
  text: string;
  documents: unknown[];
}

const compress = promisify(gzip);
const decompress = promisify(gunzip);

function purposeOf(owner: DefinitionOwner): string {
  return `definition of ${owner.scope} ${owner.name}`;
}

/**
 * A definition as its row keeps it: encrypted where a key is configured.
 * @throws InputError when it holds Secret data and there is no key.
 */
export async function packBody(
  owner: DefinitionOwner,
  body: DefinitionBody,
  cipher: ContentCipher,
): Promise<{ keyId: string | null; bytes: Buffer }> {
  const packed = await compress(toJson({ text: body.text, documents: body.documents }));
  const sealed = await cipher.seal(packed, purposeOf(owner));
  if (sealed) {
    return sealed;
  }
  const secret = findPlainSecret(body.documents, 'documents');
  if (secret !== undefined) {
    throw new InputError(
      `${purposeOf(
        owner,
      )}: ${secret} holds Secret data, which is not stored in clear; refer to a Secret that exists on the clusters, or configure multiclusterRelease.encryption.keys`,
    );
  }
  return { keyId: null, bytes: packed };
}

/** @throws ServiceUnavailableError when its encryption key is not configured. */
export async function unpackBody(
  owner: DefinitionOwner,
  row: { key_id: string | null; body: Buffer },
  cipher: ContentCipher,
): Promise<DefinitionBody> {
  const packed =
    row.key_id === null
      ? row.body
      : await cipher.open({ keyId: row.key_id, bytes: row.body }, purposeOf(owner));
  return fromJson<DefinitionBody>((await decompress(packed)).toString());
}
