import type { Config } from '@backstage/config';
import { InputError } from '@backstage/errors';

/** A key from configuration. The first writes, all read. */
export interface EncryptionKey {
  /** Stored beside what it encrypted; never reuse an id for another secret. */
  id: string;
  secret: string;
}

const PATH = 'multiclusterRelease.encryption.keys';
const MIN_SECRET_LENGTH = 24;

/**
 * Reads `multiclusterRelease.encryption.keys: [{id, secret}]`; empty where there are none.
 * @throws InputError on a repeated id or a short secret; never shows a secret.
 */
export function readEncryptionKeys(config: Config): EncryptionKey[] {
  const entries = config.getOptionalConfigArray(PATH) ?? [];
  const keys = entries.map(entry => ({
    id: entry.getString('id'),
    secret: entry.getString('secret'),
  }));
  const seen = new Set<string>();
  for (const { id, secret } of keys) {
    if (seen.has(id)) {
      throw new InputError(`${PATH}: id ${id} is there twice; give each key its own id`);
    }
    if (secret.length < MIN_SECRET_LENGTH) {
      throw new InputError(
        `${PATH}: the secret of key ${id} is shorter than ${MIN_SECRET_LENGTH} characters; make one with \`openssl rand -base64 32\``,
      );
    }
    seen.add(id);
  }
  return keys;
}
