import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { keepLogsOfFailure } from '../clusterLogs.mjs';

describe('keepLogsOfFailure', () => {
  for (const { name, failed, kept } of [
    { name: 'keeps what a failed suite left', failed: 1, kept: true },
    { name: 'removes what a good suite left', failed: 0, kept: false },
  ]) {
    it(name, async test => {
      const folder = mkdtempSync(join(tmpdir(), 'cluster-logs-'));
      test.after(() => rmSync(folder, { recursive: true, force: true }));
      writeFileSync(join(folder, 'kwok.log'), 'a line');
      assert.equal(await keepLogsOfFailure(folder, { failed }), kept);
      assert.equal(existsSync(join(folder, 'kwok.log')), kept);
    });
  }

  it('has nothing to say of a suite without clusters', async () => {
    const folder = join(tmpdir(), 'no-such-cluster-logs');
    assert.equal(await keepLogsOfFailure(folder, { failed: 1 }), false);
  });
});
