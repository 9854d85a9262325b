import { randomBytes } from 'node:crypto';
import type { KubernetesObject } from 'backstage-plugin-multicluster-release-node';
import { contentDigest } from 'backstage-plugin-multicluster-release-node';
import type { Knex } from 'knex';
import { createContentStore } from '../../createContentStore';
import { ContentCipher } from '../../encryption/ContentCipher';
import type { EncryptionKey } from '../../encryption/readEncryptionKeys';
import { describeOnEachDatabase } from '../../__testUtils__/eachDatabase';
import { dumpDatabase } from '../../__testUtils__/dumpDatabase';
import { NOON } from '../../__testUtils__/samples';

const KEY: EncryptionKey = {
  id: 'k1',
  secret: 'an old secret of thirty-two bytes',
};
const NEXT_KEY: EncryptionKey = {
  id: 'k2',
  secret: 'a newer secret of thirty-two bytes',
};

/** Both forms of the value of field case C14, and two more encodings of it. */
const FORBIDDEN = ['CANARY-TOKEN', 'Q0FOQVJZLVRPS0VO', Buffer.from('CANARY-TOKEN').toString('hex')];

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

function secret(
  name: string,
  more: object,
  annotations?: Record<string, string>,
): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: 't', annotations },
    ...more,
  };
}

const SECRETS: KubernetesObject[] = [
  secret('s1', { data: { k: 'Q0FOQVJZLVRPS0VO' } }),
  secret('s2', { stringData: { k: 'CANARY-TOKEN' } }),
  secret(
    's3',
    { data: { k: 'Q0FOQVJZLVRPS0VO' } },
    {
      [LAST_APPLIED]:
        '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s3"},"stringData":{"k":"CANARY-TOKEN"}}',
    },
  ),
  secret('s4', { stringData: { k: 'CANARY-TOKEN', num: 12345 } }),
  secret('s5', {}, { [LAST_APPLIED]: 'not json CANARY-TOKEN' }),
  secret('s6', { data: { k: 'Q0FOQVJZLVRPS0VO' } }, { 'acme.io/copy': 'k=CANARY-TOKEN' }),
];
const EMPTY_SECRET = secret('token', {
  type: 'kubernetes.io/service-account-token',
});
const CONFIG_MAP: KubernetesObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c', namespace: 't' },
  data: { level: 'debug' },
};

function storeOf(database: Knex, keys: EncryptionKey[], now = NOON) {
  const cipher = new ContentCipher(keys, randomBytes);
  return createContentStore(database, { cipher, clock: () => now });
}

const content = {
  version: '2.0.0',
  configVersion: '1.4.0',
  objects: [CONFIG_MAP, EMPTY_SECRET, ...SECRETS],
};

describeOnEachDatabase('contents', open => {
  it('gives back all of it where there is a key, and nothing of Secrets lies there in clear (C14)', async () => {
    const database = await open();
    const store = storeOf(database, [KEY]);
    const digest = await store.put(content);
    expect(digest).toBe(contentDigest(content.objects));
    expect(await store.get(digest)).toEqual({
      ...content,
      digest,
      objects: JSON.parse(JSON.stringify(content.objects)),
      withheldSecrets: [],
    });
    const dump = await dumpDatabase(database);
    FORBIDDEN.forEach(value => expect(dump).not.toContain(value));
    // Not even that there is a Secret: all of the content is encrypted.
    expect(dump).not.toContain('"Secret"');
  });

  it('keeps only digests of Secret data without a key, and names those Secrets (C14)', async () => {
    const database = await open();
    const store = storeOf(database, []);
    const digest = await store.put(content);
    expect(digest).toBe(contentDigest(content.objects));
    const stored = await store.get(digest);
    expect(stored.withheldSecrets.map(({ name }) => name)).toEqual([
      's1',
      's2',
      's3',
      's4',
      's5',
      's6',
    ]);
    expect(stored.objects[0]).toEqual(CONFIG_MAP);
    expect(stored.objects[1]).toEqual(JSON.parse(JSON.stringify(EMPTY_SECRET)));
    const dump = `${await dumpDatabase(database)}${JSON.stringify(stored)}`;
    FORBIDDEN.forEach(value => expect(dump).not.toContain(value));
    expect(JSON.stringify(stored)).not.toContain('12345');
  });

  it('shows without a key that a value changed, was added or was removed (C14)', async () => {
    const database = await open();
    const store = storeOf(database, []);
    const dataOf = async (data: Record<string, string>) => {
      const digest = await store.put({
        version: '1',
        objects: [secret('s', { data })],
      });
      return (await store.get(digest)).objects[0].data as Record<string, string>;
    };
    const before = await dataOf({ a: 'YQ==', b: 'Yg==' });
    const after = await dataOf({ a: 'YQ==', b: 'YmI=', c: 'Yw==' });
    expect(after.a).toBe(before.a);
    expect(after.b).not.toBe(before.b);
    expect(Object.keys(after)).toEqual(['a', 'b', 'c']);
    expect(before.a).not.toBe((await dataOf({ a: 'Yg==' })).a);
  });

  it('reads under an older key after rotation, and moves to the new one when stored again', async () => {
    const database = await open();
    const digest = await storeOf(database, [KEY]).put(content);
    const rotated = storeOf(database, [NEXT_KEY, KEY]);
    expect((await rotated.get(digest)).withheldSecrets).toEqual([]);
    await rotated.put(content);
    expect(await database('contents').select('key_id')).toEqual([{ key_id: 'k2' }]);
    expect((await storeOf(database, [NEXT_KEY]).get(digest)).objects).toHaveLength(8);
    await expect(storeOf(database, [KEY]).get(digest)).rejects.toThrow('encrypted with key k2');
  });

  it('keeps whole what was withheld, once there is a key; and not the other way round', async () => {
    const database = await open();
    const digest = await storeOf(database, []).put(content);
    await storeOf(database, [KEY]).put(content);
    await storeOf(database, []).put(content);
    expect((await storeOf(database, [KEY]).get(digest)).withheldSecrets).toEqual([]);
  });

  it('stores large content in pieces of at most 256 KiB, and only once', async () => {
    const database = await open();
    const data = { noise: randomBytes(600 * 1024).toString('base64') };
    const large = { version: '1', objects: [{ ...CONFIG_MAP, data }] };
    const stores = [NOON, NOON + 1, NOON + 2].map(now => storeOf(database, [], now));
    const digests = await Promise.all(stores.map(store => store.put(large)));
    expect(new Set(digests).size).toBe(1);
    const chunks = await database('content_chunks').select('data');
    expect(chunks.length).toBeGreaterThan(1);
    expect(Math.max(...chunks.map(chunk => chunk.data.length))).toBeLessThanOrEqual(256 * 1024);
    expect((await stores[0].get(digests[0])).objects).toEqual(large.objects);
    await storeOf(database, [], NOON + 9).put(large);
    expect(Number((await database('contents').first()).stored_at)).toBe(NOON + 9);
  });

  it('notices what was damaged, and says what is missing', async () => {
    const database = await open();
    const store = storeOf(database, []);
    const one = await store.put({ version: '1', objects: [CONFIG_MAP] });
    const two = await store.put({ version: '1', objects: [EMPTY_SECRET] });
    const other = await database('content_chunks').where('digest', two).first();
    await database('content_chunks').where('digest', one).update({ data: other.data });
    await expect(store.get(one)).rejects.toThrow(
      `content ${one}: what is stored is something else`,
    );
    await expect(store.get('0'.repeat(64))).rejects.toMatchObject({
      name: 'NotFoundError',
    });
  });
});
