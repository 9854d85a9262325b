import { ConfigReader } from '@backstage/config';
import { readEncryptionKeys } from './readEncryptionKeys';

const secret = 'c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3I=';

function configOf(keys: { id: string; secret: string }[]) {
  return new ConfigReader({ multiclusterRelease: { encryption: { keys } } });
}

describe('readEncryptionKeys', () => {
  it('keeps the order, and is empty without configuration', () => {
    const keys = [
      { id: 'b', secret },
      { id: 'a', secret },
    ];
    expect(readEncryptionKeys(configOf(keys))).toEqual(keys);
    expect(readEncryptionKeys(new ConfigReader({}))).toEqual([]);
  });

  it.each([
    [
      'a repeated id',
      [
        { id: 'a', secret },
        { id: 'a', secret },
      ],
      'id a is there twice',
    ],
    ['a short secret', [{ id: 'a', secret: 'hunter2' }], 'the secret of key a is shorter than 24'],
  ])('refuses %s without showing a secret', (_name, keys, message) => {
    const read = () => readEncryptionKeys(configOf(keys));
    expect(read).toThrow(message);
    expect(read).not.toThrow(/hunter2|c2VjcmV0/);
  });
});
