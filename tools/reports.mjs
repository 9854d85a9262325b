/**
 * Counts of tests from the reports that the runners themselves write.
 *
 * Nothing here believes in an absence: a report that is missing, is unreadable, or
 * knows of no test is a failure, because it cannot be told from a broken suite.
 */

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {string[]} problems what went wrong beside failed tests; each is in `failed`
 */

/**
 * @param {Partial<Counts>} counts
 * @returns {Counts}
 */
export function counts({ passed = 0, failed = 0, skipped = 0, problems = [] }) {
  return { passed, failed, skipped, problems };
}

/**
 * A suite that could not run, counted as one failure.
 *
 * @param {string} problem
 */
export function couldNotRun(problem) {
  return counts({ failed: 1, problems: [problem] });
}

/**
 * Something that is one test by itself: type check, lint.
 *
 * @param {number} exitCode
 */
export function oneTest(exitCode) {
  return exitCode === 0 ? counts({ passed: 1 }) : counts({ failed: 1 });
}

/**
 * @param {string} text of the file that `jest --json --outputFile` wrote
 * @param {number} fileCount how many files were asked for
 */
export function readJestReport(text, fileCount) {
  const report = JSON.parse(text);
  const result = counts({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  });
  const silent = report.testResults.filter(
    file =>
      file.status === 'failed' && !file.assertionResults.some(test => test.status === 'failed'),
  );
  const missing = fileCount - report.testResults.length;
  return withProblems(result, [
    ...silent.map(file => `${file.name} failed outside of its tests`),
    ...(missing > 0 ? [`${missing} of ${fileCount} test files are missing in the report`] : []),
  ]);
}

/**
 * @param {string} text of the file that `node --test --test-reporter tap` wrote
 */
export function readTapReport(text) {
  /** @param {string} name */
  const number = name => {
    const found = [...text.matchAll(new RegExp(`^# ${name} (\\d+)$`, 'gm'))].at(-1);
    if (!found) {
      throw new Error(`the report says nothing about "${name}"`);
    }
    return Number(found[1]);
  };
  return counts({
    passed: number('pass'),
    failed: number('fail') + number('cancelled'),
    skipped: number('skipped') + number('todo'),
  });
}

/**
 * @param {string} text of the file that Playwright's json reporter wrote
 */
export function readPlaywrightReport(text) {
  const { stats, errors } = JSON.parse(text);
  const result = counts({
    passed: stats.expected,
    // A test that passes only when tried again hides a fault of ours or its own.
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
  });
  return withProblems(
    result,
    errors.map(error => error.message ?? 'failed outside of its tests'),
  );
}

/**
 * Reads one suite's report and holds it against what is known otherwise.
 *
 * @param {object} suite
 * @param {string | undefined} suite.text the report; undefined where none was written
 * @param {(text: string) => Counts} suite.read
 * @param {number} suite.exitCode of the runner
 * @returns {Counts}
 */
export function judgeSuite({ text, read, exitCode }) {
  if (text === undefined) {
    return couldNotRun(`no report was written (exit code ${exitCode})`);
  }
  let result;
  try {
    result = read(text);
  } catch (error) {
    return couldNotRun(
      `the report cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  }
  if (result.passed + result.failed + result.skipped === 0) {
    return couldNotRun('no test was found');
  }
  if (exitCode !== 0 && result.failed === 0) {
    return withProblems(result, [
      `every test passed, but the runner ended with exit code ${exitCode}`,
    ]);
  }
  return result;
}

/**
 * @param {Counts[]} list
 * @returns {Counts}
 */
export function addCounts(list) {
  return counts({
    passed: list.reduce((sum, each) => sum + each.passed, 0),
    failed: list.reduce((sum, each) => sum + each.failed, 0),
    skipped: list.reduce((sum, each) => sum + each.skipped, 0),
    problems: list.flatMap(each => each.problems),
  });
}

/**
 * The line that ends a run, for example `12 passed, 0 failed, 1 skipped`.
 *
 * @param {Counts} total
 */
export function lastLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/**
 * How long each suite took, as a table.
 *
 * @param {{ title: string, taken: string, result: Counts }[]} suites
 * @returns {string[]} lines, for example `  unit tests   1 min 5 s   12 passed, 0 failed`
 */
export function suiteTable(suites) {
  const titles = Math.max(0, ...suites.map(({ title }) => title.length));
  const times = Math.max(0, ...suites.map(({ taken }) => taken.length));
  return suites.map(
    ({ title, taken, result }) =>
      `  ${title.padEnd(titles)}   ${taken.padStart(times)}   ${lastLine(result)}`,
  );
}

/**
 * @param {Counts} result
 * @param {string[]} problems
 */
function withProblems(result, problems) {
  return {
    ...result,
    failed: result.failed + problems.length,
    problems: [...result.problems, ...problems],
  };
}
