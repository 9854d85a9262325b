import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { suiteOf, testFiles } from '../testFiles.mjs';

describe('suiteOf', () => {
  for (const [path, suite] of /** @type {const} */ ([
    ['plugins/x/src/plan/compile.test.ts', 'unit'],
    ['plugins/x/src/components/Rail.test.tsx', 'unit'],
    ['packages/app/src/App.test.tsx', 'unit'],
    ['plugins/x/src/store/leases.database.test.ts', 'database'],
    ['plugins/x/src/clusters/apply.clusters.test.ts', 'clusters'],
    ['plugins/x/src/simulation/releases.simulation.test.ts', 'simulation'],
    ['tools/test/reports.test.mjs', 'scripts'],
    ['dev/clusters/test/harness.test.mjs', 'dev'],
    ['dev/test/all.test.mjs', 'dev'],
    ['e2e/tests/app.test.ts', 'e2e'],
    ['plugins/x/src/plan/compile.ts', undefined],
    ['plugins/x/dev/index.test.ts', undefined],
    ['dev/clusters/lib/test.mjs', undefined],
    ['e2e/support/browser.ts', undefined],
  ])) {
    it(`puts ${path} into ${suite ?? 'none'}`, () => assert.equal(suiteOf(path), suite));
  }
});

describe('testFiles', () => {
  /** @type {string} */
  let root;
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'test-files-'));
    for (const path of [
      'plugins/a/src/b.test.ts',
      'plugins/a/src/a.test.ts',
      'plugins/a/src/a.database.test.ts',
      'plugins/a/node_modules/x/src/a.test.ts',
      'plugins/a/dist/src/a.test.ts',
    ]) {
      mkdirSync(join(root, dirname(path)), { recursive: true });
      writeFileSync(join(root, path), '');
    }
  });
  after(() => rmSync(root, { recursive: true }));

  it('finds the files of one suite, without those of others or of libraries', () => {
    assert.deepEqual(testFiles(root, 'unit'), [
      'plugins/a/src/a.test.ts',
      'plugins/a/src/b.test.ts',
    ]);
    assert.deepEqual(testFiles(root, 'database'), ['plugins/a/src/a.database.test.ts']);
    assert.deepEqual(testFiles(root, 'clusters'), []);
  });

  it('keeps those with a pattern in their path', () => {
    assert.deepEqual(testFiles(root, 'unit', ['/b.']), ['plugins/a/src/b.test.ts']);
  });
});
