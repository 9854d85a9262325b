import { randomBytes } from 'node:crypto';
import { ContentCipher } from '../../encryption/ContentCipher';
import { dumpDatabase } from '../../__testUtils__/dumpDatabase';
import { describeOnEachDatabase } from '../../__testUtils__/eachDatabase';
import { NOON, SERVICE } from '../../__testUtils__/samples';
import type { DefinitionToStore } from '../../types';
import { getDefinition } from './getDefinition';
import { listDefinitionRevisions } from './listDefinitionRevisions';
import { listDefinitions } from './listDefinitions';
import { putDefinition } from './putDefinition';

const plain = new ContentCipher([], randomBytes);
const cipher = new ContentCipher(
  [{ id: 'k1', secret: 'a secret of at least thirty-two b' }],
  randomBytes,
);
const owner = { scope: 'service', name: SERVICE } as const;

function definition(text: string, more: Partial<DefinitionToStore> = {}): DefinitionToStore {
  return {
    owner,
    text,
    documents: [{ text }],
    author: 'user:default/ada',
    now: NOON,
    ...more,
  };
}

const secretManifest = {
  kind: 'ResourceTemplate',
  spec: {
    source: {
      manifests: {
        inline: [{ kind: 'ConfigMap' }, { kind: 'Secret', stringData: { k: 'CANARY-TOKEN' } }],
      },
    },
  },
};
const secretPatch = {
  kind: 'ResourceTemplate',
  spec: {
    overrides: [
      {
        patches: [{ target: { kind: 'Secret' }, patch: { data: { k: 'x' } } }],
      },
    ],
  },
};

describeOnEachDatabase('definitions', open => {
  it('keeps every revision, with where it came from', async () => {
    const database = await open();
    const from = {
      location: 'url:https://git.example.org/checkout',
      commit: 'c0ffee',
    };
    const first = await putDefinition(database, definition('one', from), plain);
    const second = await putDefinition(database, definition('two', { now: NOON + 1 }), plain);
    expect([first.result, second.result]).toEqual(['stored', 'stored']);
    expect(await getDefinition(database, { owner }, plain)).toEqual({
      ...{
        owner,
        text: 'two',
        documents: [{ text: 'two' }],
        author: 'user:default/ada',
      },
      ...{
        revision: second.revision,
        createdAt: NOON + 1,
        location: undefined,
        commit: undefined,
      },
    });
    const old = await getDefinition(database, { owner, revision: first.revision }, plain);
    expect(old).toMatchObject({ text: 'one', ...from, createdAt: NOON });
    expect(await getDefinition(database, { owner, revision: '9-none' }, plain)).toBeUndefined();
    const shared = { scope: 'policy', name: SERVICE } as const;
    expect(await getDefinition(database, { owner: shared }, plain)).toBeUndefined();
  });

  it('stores the same once, and an old text again as a new revision', async () => {
    const database = await open();
    const put = (text: string) => putDefinition(database, definition(text), plain);
    const first = await put('one');
    expect(await put('one')).toEqual({
      result: 'unchanged',
      revision: first.revision,
    });
    await put('two');
    const again = await put('one');
    expect(again.result).toBe('stored');
    expect(again.revision).not.toBe(first.revision);
  });

  it.each([
    ['none yet, none seen', undefined, 'none', 'stored'],
    ['none yet, one seen', undefined, '1-abc', 'moved'],
    ['one, none seen', 'one', 'none', 'moved'],
    ['one, an older seen', 'one', '0-abc', 'moved'],
    ['one, no check', 'one', undefined, 'stored'],
  ])('checks what the author saw: %s', async (_name, stored, ifMatch, result) => {
    const database = await open();
    if (stored) {
      await putDefinition(database, definition(stored), plain);
    }
    const put = await putDefinition(database, definition('new', { ifMatch }), plain);
    expect(put.result).toBe(result);
    const newest = await getDefinition(database, { owner }, plain);
    expect(newest?.text).toBe(result === 'stored' ? 'new' : stored);
  });

  it('lets one of two authors win who saw the same revision', async () => {
    const database = await open();
    const { revision } = await putDefinition(database, definition('one'), plain);
    const texts = ['two', 'three', 'four'];
    const puts = texts.map(text =>
      putDefinition(database, definition(text, { ifMatch: revision }), plain),
    );
    const results = (await Promise.all(puts)).map(({ result }) => result);
    expect(results.sort()).toEqual(['moved', 'moved', 'stored']);
    const revisions = await listDefinitionRevisions(database, owner, {});
    expect(revisions.items).toHaveLength(2);
  });

  it('keeps all where several store at once without a check', async () => {
    const database = await open();
    const texts = ['a', 'b', 'c', 'd'];
    await Promise.all(texts.map(text => putDefinition(database, definition(text), plain)));
    const first = await listDefinitionRevisions(database, owner, { limit: 3 });
    const rest = await listDefinitionRevisions(database, owner, {
      limit: 3,
      cursor: first.nextCursor,
    });
    const numbers = [...first.items, ...rest.items].map(({ revision }) => revision.split('-')[0]);
    expect(numbers).toEqual(['4', '3', '2', '1']);
  });

  it('lists the newest revision of each shared document, by name', async () => {
    const database = await open();
    for (const name of ['careful', 'fast', 'careful']) {
      const policy = definition(`${name} ${Math.random()}`, {
        owner: { scope: 'policy', name },
      });
      await putDefinition(database, policy, plain);
    }
    const first = await listDefinitions(database, 'policy', { limit: 1 });
    const rest = await listDefinitions(database, 'policy', {
      limit: 1,
      cursor: first.nextCursor,
    });
    expect(rest.nextCursor).toBeUndefined();
    const found = [...first.items, ...rest.items].map(item => [item.owner.name, item.revision[0]]);
    expect(found).toEqual([
      ['careful', '2'],
      ['fast', '1'],
    ]);
    expect((await listDefinitions(database, 'placement', {})).items).toEqual([]);
  });

  it.each([
    ['a manifest', secretManifest, 'documents[0].spec.source.manifests.inline[1]'],
    ['a patch', secretPatch, 'documents[0].spec.overrides[0].patches[0]'],
  ])(
    'refuses Secret data in %s without a key, and encrypts it with one (C14)',
    async (_name, document, path) => {
      const database = await open();
      const put = definition(JSON.stringify(document), {
        documents: [document],
      });
      await expect(putDefinition(database, put, plain)).rejects.toMatchObject({
        name: 'InputError',
        message: expect.stringContaining(`${path} holds Secret data`),
      });
      expect(await database('definitions')).toEqual([]);
      await putDefinition(database, put, cipher);
      expect(await dumpDatabase(database)).not.toContain('CANARY-TOKEN');
      expect((await getDefinition(database, { owner }, cipher))?.documents).toEqual([document]);
      await expect(getDefinition(database, { owner }, plain)).rejects.toThrow(
        'encrypted with key k1',
      );
    },
  );
});
