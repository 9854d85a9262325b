import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  addCounts,
  counts,
  couldNotRun,
  judgeSuite,
  lastLine,
  oneTest,
  readJestReport,
  readPlaywrightReport,
  readTapReport,
  suiteTable,
} from '../reports.mjs';

/** @param {object} changes */
function jestReport(changes = {}) {
  return JSON.stringify({
    numPassedTests: 3,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: [
      { name: 'a.test.ts', status: 'passed', assertionResults: [{ status: 'passed' }] },
    ],
    ...changes,
  });
}

describe('readJestReport', () => {
  it('counts tests, and those left out or still to write as skipped', () => {
    const report = jestReport({ numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 });
    assert.deepEqual(readJestReport(report, 1), counts({ passed: 3, failed: 1, skipped: 3 }));
  });

  it('counts a file that fails before its tests as a failure', () => {
    const report = jestReport({
      testResults: [{ name: 'b.test.ts', status: 'failed', assertionResults: [] }],
    });
    const result = readJestReport(report, 1);
    assert.equal(result.failed, 1);
    assert.match(result.problems[0], /b\.test\.ts/);
  });

  it('counts files that the report does not know as a failure', () => {
    const result = readJestReport(jestReport(), 3);
    assert.equal(result.failed, 1);
    assert.match(result.problems[0], /2 of 3 test files/);
  });
});

describe('readTapReport', () => {
  const summary =
    '1..2\n# tests 6\n# suites 1\n# pass 2\n# fail 1\n# cancelled 1\n# skipped 1\n# todo 1\n';

  it('takes the last summary, where a test printed one like it', () => {
    assert.deepEqual(
      readTapReport(`# pass 70\n${summary}`),
      counts({ passed: 2, failed: 2, skipped: 2 }),
    );
  });

  it('refuses a report that was cut off', () => {
    assert.throws(() => readTapReport('TAP version 13\nok 1 - a\n'), /says nothing about "pass"/);
  });
});

describe('readPlaywrightReport', () => {
  it('counts a test that only passed when tried again as failed', () => {
    const report = JSON.stringify({
      stats: { expected: 4, unexpected: 1, flaky: 1, skipped: 2 },
      errors: [],
    });
    assert.deepEqual(readPlaywrightReport(report), counts({ passed: 4, failed: 2, skipped: 2 }));
  });

  it('counts an error outside of tests', () => {
    const report = JSON.stringify({
      stats: { expected: 1, unexpected: 0, flaky: 0, skipped: 0 },
      errors: [{ message: 'the web server did not start' }],
    });
    assert.deepEqual(
      readPlaywrightReport(report),
      counts({ passed: 1, failed: 1, problems: ['the web server did not start'] }),
    );
  });
});

describe('judgeSuite', () => {
  const passed = () => counts({ passed: 2 });

  it('believes a report of a runner that ended well', () => {
    assert.deepEqual(judgeSuite({ text: '{}', read: passed, exitCode: 0 }), counts({ passed: 2 }));
  });

  for (const [what, suite, problem] of /** @type {const} */ ([
    ['no report', { text: undefined, read: passed, exitCode: 0 }, /no report was written/],
    ['a broken report', { text: '{', read: JSON.parse, exitCode: 0 }, /cannot be read/],
    ['no test', { text: '{}', read: () => counts({}), exitCode: 0 }, /no test was found/],
    [
      'a runner that failed after its tests',
      { text: '{}', read: passed, exitCode: 3 },
      /exit code 3/,
    ],
  ])) {
    it(`counts ${what} as a failure`, () => {
      const result = judgeSuite(suite);
      assert.equal(result.failed, 1);
      assert.match(result.problems[0], problem);
    });
  }

  it('does not count failed tests twice', () => {
    const read = () => counts({ passed: 1, failed: 2 });
    assert.equal(judgeSuite({ text: '{}', read, exitCode: 1 }).failed, 2);
  });
});

describe('lastLine', () => {
  it('adds up, and names what was skipped only where something was', () => {
    const total = addCounts([oneTest(0), oneTest(2), couldNotRun('x'), counts({ passed: 5 })]);
    assert.equal(lastLine(total), '6 passed, 2 failed');
    assert.deepEqual(total.problems, ['x']);
    assert.equal(
      lastLine(addCounts([total, counts({ skipped: 1 })])),
      '6 passed, 2 failed, 1 skipped',
    );
  });
});

describe('suiteTable', () => {
  it('has a line for each suite, in columns', () => {
    const suites = [
      { title: 'lint', taken: '8 s', result: counts({ passed: 1 }) },
      { title: 'unit tests', taken: '1 min 5 s', result: counts({ passed: 12, failed: 1 }) },
    ];
    assert.deepEqual(suiteTable(suites), [
      '  lint               8 s   1 passed, 0 failed',
      '  unit tests   1 min 5 s   12 passed, 1 failed',
    ]);
    assert.deepEqual(suiteTable([]), []);
  });
});
