import { randomBytes } from 'node:crypto';
import { ContentCipher } from './ContentCipher';

const old = { id: 'old', secret: 'an old secret of thirty-two bytes' };
const young = { id: 'young', secret: 'a newer secret of thirty-two bytes' };
const plain = Buffer.from('the value');

function cipherOf(...keys: { id: string; secret: string }[]): ContentCipher {
  return new ContentCipher(keys, randomBytes);
}

async function sealedBy(cipher: ContentCipher, purpose = 'content a') {
  const sealed = await cipher.seal(plain, purpose);
  if (!sealed) {
    throw new Error('not sealed');
  }
  return sealed;
}

describe('ContentCipher', () => {
  it('opens what it sealed, and seals the same differently each time', async () => {
    const cipher = cipherOf(young);
    const first = await sealedBy(cipher);
    const second = await sealedBy(cipher);
    expect(first.bytes.equals(second.bytes)).toBe(false);
    expect(first.bytes.includes(plain)).toBe(false);
    expect(await cipher.open(first, 'content a')).toEqual(plain);
    expect(await cipher.open(second, 'content a')).toEqual(plain);
  });

  it('writes with the first key and reads with all, after a rotation', async () => {
    const before = await sealedBy(cipherOf(old));
    const rotated = cipherOf(young, old);
    expect(rotated.writingKeyId).toBe('young');
    expect((await sealedBy(rotated)).keyId).toBe('young');
    expect(await rotated.open(before, 'content a')).toEqual(plain);
  });

  it('seals nothing without a key', async () => {
    expect(await cipherOf().seal(plain, 'content a')).toBeUndefined();
  });

  it('names the key that is missing, and what needs it', async () => {
    const sealed = await sealedBy(cipherOf(old));
    await expect(cipherOf(young).open(sealed, 'content a')).rejects.toMatchObject({
      name: 'ServiceUnavailableError',
      message: expect.stringMatching(/content a: encrypted with key old.*add it back/),
    });
  });

  it.each<[string, (bytes: Buffer) => Buffer, string, string]>([
    [
      'a changed byte',
      bytes => Buffer.concat([bytes.subarray(0, -1), Buffer.from([bytes[bytes.length - 1] ^ 1])]),
      'content a',
      'cannot be decrypted',
    ],
    ['another place', bytes => bytes, 'content b', 'cannot be decrypted'],
    [
      'a newer form',
      bytes => Buffer.concat([Buffer.from([2]), bytes.subarray(1)]),
      'content a',
      'not in a form',
    ],
    ['a cut', bytes => bytes.subarray(0, 20), 'content a', 'not in a form'],
  ])('refuses %s', async (_name, damage, purpose, message) => {
    const cipher = cipherOf(young);
    const sealed = await sealedBy(cipher);
    const damaged = { ...sealed, bytes: damage(sealed.bytes) };
    await expect(cipher.open(damaged, purpose)).rejects.toThrow(message);
  });

  it('refuses a secret that was changed under its id', async () => {
    const sealed = await sealedBy(cipherOf(old));
    const changed = cipherOf({ id: 'old', secret: young.secret });
    await expect(changed.open(sealed, 'content a')).rejects.toThrow('its secret was changed');
  });
});
