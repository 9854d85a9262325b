/*
 * Encryption at rest of what may hold Secret data. Each piece has a key of its
 * own: a random salt and the configured secret, stretched once per process by
 * scrypt, give it through HKDF. AES-256-GCM; what a piece is (its `purpose`) is
 * bound to it, so that one piece cannot be put in another's place.
 *
 * A sealed piece: version (1 byte) · salt (16) · nonce (12) · tag (16) · cipher text.
 */
import { createCipheriv, createDecipheriv, hkdfSync, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { ServiceUnavailableError } from '@backstage/errors';
import type { EncryptionKey } from './readEncryptionKeys';

const VERSION = 1;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + SALT_BYTES + NONCE_BYTES + TAG_BYTES;
const KEY_BYTES = 32;

const stretch = promisify(scrypt);

export interface SealedBytes {
  keyId: string;
  bytes: Buffer;
}

export class ContentCipher {
  private readonly masters = new Map<string, Promise<Buffer>>();

  /** `random` gives that many unpredictable bytes, such as `randomBytes` of node:crypto. */
  constructor(
    private readonly keys: readonly EncryptionKey[],
    private readonly random: (bytes: number) => Buffer,
  ) {}

  /** Id of the key that writes; undefined where none is configured, and nothing can be sealed. */
  get writingKeyId(): string | undefined {
    return this.keys[0]?.id;
  }

  /** Undefined where no key is configured. */
  async seal(plain: Buffer, purpose: string): Promise<SealedBytes | undefined> {
    const keyId = this.writingKeyId;
    if (keyId === undefined) {
      return undefined;
    }
    const salt = this.random(SALT_BYTES);
    const nonce = this.random(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', await this.pieceKey(keyId, salt), nonce);
    cipher.setAAD(Buffer.from(purpose));
    const text = Buffer.concat([cipher.update(plain), cipher.final()]);
    const header = Buffer.concat([Buffer.from([VERSION]), salt, nonce, cipher.getAuthTag()]);
    return { keyId, bytes: Buffer.concat([header, text]) };
  }

  /**
   * @throws ServiceUnavailableError when the key is not configured.
   * @throws Error when the bytes are not what this key sealed for this purpose.
   */
  async open(sealed: SealedBytes, purpose: string): Promise<Buffer> {
    const { keyId, bytes } = sealed;
    if (bytes.length < HEADER_BYTES || bytes[0] !== VERSION) {
      throw new Error(
        `${purpose}: not in a form that this version can decrypt; run the version that wrote it or newer`,
      );
    }
    const salt = bytes.subarray(1, 1 + SALT_BYTES);
    const nonce = bytes.subarray(1 + SALT_BYTES, 1 + SALT_BYTES + NONCE_BYTES);
    const tag = bytes.subarray(HEADER_BYTES - TAG_BYTES, HEADER_BYTES);
    const key = await this.pieceKey(keyId, salt, purpose);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(purpose));
    decipher.setAuthTag(tag);
    try {
      return Buffer.concat([decipher.update(bytes.subarray(HEADER_BYTES)), decipher.final()]);
    } catch {
      throw new Error(
        `${purpose}: cannot be decrypted with key ${keyId}; its secret was changed, or the row was damaged`,
      );
    }
  }

  private async pieceKey(keyId: string, salt: Buffer, purpose = ''): Promise<Buffer> {
    const key = this.keys.find(({ id }) => id === keyId);
    if (!key) {
      throw new ServiceUnavailableError(
        `${purpose}: encrypted with key ${keyId}, which is not configured; add it back to multiclusterRelease.encryption.keys`,
      );
    }
    const master = await this.masterOf(key);
    return Buffer.from(hkdfSync('sha256', master, salt, 'multicluster-release content', KEY_BYTES));
  }

  private masterOf({ id, secret }: EncryptionKey): Promise<Buffer> {
    let master = this.masters.get(id);
    if (!master) {
      master = stretch(secret, `multicluster-release ${id}`, KEY_BYTES) as Promise<Buffer>;
      this.masters.set(id, master);
    }
    return master;
  }
}
