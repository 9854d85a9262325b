import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const LOCK = readFileSync(new URL('../../yarn.lock', import.meta.url), 'utf8');

describe('yarn.lock', () => {
  it('has one version of each package of Backstage', () => {
    // Two of them are two registries of services or of API refs, and plugins of one
    // do not find what the other holds.
    const names = [...LOCK.matchAll(/^"(@backstage\/[^@"]+)@npm:[^\n]*:$/gm)].map(
      ([, name]) => name,
    );
    assert.ok(names.length > 50);
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
    );
  });

  it('names no registry', () => {
    assert.deepEqual(LOCK.match(/https?:\/\/\S+/g), null);
  });
});
