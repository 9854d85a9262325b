import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { keepLogsOfFailure } from '../clusterLogs.mjs';
import {
  counts,
  judgeSuite,
  readJestReport,
  readPlaywrightReport,
  suiteTable,
} from '../reports.mjs';

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

  for (const { name, result } of [
    {
      name: 'passed every test, and whose runner ended badly',
      result: judgeSuite({ text: '{}', read: () => counts({ passed: 2 }), exitCode: 1 }),
    },
    {
      name: 'has a file that failed outside of its tests',
      result: readJestReport(
        JSON.stringify({
          numPassedTests: 2,
          numFailedTests: 0,
          numPendingTests: 0,
          numTodoTests: 0,
          testResults: [{ name: 'a', status: 'failed', assertionResults: [{ status: 'passed' }] }],
        }),
        1,
      ),
    },
    {
      name: 'ended with an error beside its tests',
      result: readPlaywrightReport(
        JSON.stringify({
          stats: { expected: 2, unexpected: 0, flaky: 0, skipped: 0 },
          errors: [{ message: 'the web server ended' }],
        }),
      ),
    },
  ]) {
    it(`keeps what a suite left that ${name}, and the table counts it`, async test => {
      const folder = mkdtempSync(join(tmpdir(), 'cluster-logs-'));
      test.after(() => rmSync(folder, { recursive: true, force: true }));
      assert.equal(await keepLogsOfFailure(folder, result), true);
      assert.equal(existsSync(folder), true);
      assert.deepEqual(suiteTable([{ title: 'unit tests', taken: '1 s', result }]), [
        '  unit tests   1 s   2 passed, 1 failed',
      ]);
    });
  }

  it('has nothing to say of a suite without clusters', async () => {
    const folder = join(tmpdir(), 'no-such-cluster-logs');
    assert.equal(await keepLogsOfFailure(folder, { failed: 1 }), false);
  });
});
