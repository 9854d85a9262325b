import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fingerprint } from '../install.mjs';

describe('fingerprint', () => {
  /** @type {string} */
  let root;
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'install-'));
    mkdirSync(join(root, 'plugins', 'a'), { recursive: true });
    mkdirSync(join(root, 'e2e'));
    writeFileSync(join(root, 'package.json'), '{"workspaces":["plugins/*","e2e"]}');
    writeFileSync(join(root, 'plugins', 'a', 'package.json'), '{}');
    writeFileSync(join(root, 'e2e', 'package.json'), '{}');
    writeFileSync(join(root, 'yarn.lock'), '');
  });
  after(() => rmSync(root, { recursive: true }));

  it('changes with the lock, the settings and the manifest of every workspace', () => {
    const paths = ['yarn.lock', 'plugins/a/package.json', 'e2e/package.json', '.yarnrc.yml'];
    const seen = new Set([fingerprint(root)]);
    for (const path of paths) {
      writeFileSync(join(root, path), '{"changed":true}');
      seen.add(fingerprint(root));
    }
    assert.equal(seen.size, paths.length + 1);
  });

  it('does not change with sources', () => {
    const earlier = fingerprint(root);
    writeFileSync(join(root, 'plugins', 'a', 'index.ts'), '');
    assert.equal(fingerprint(root), earlier);
  });
});
