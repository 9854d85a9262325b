/**
 * Which test files there are, and which suite each belongs to by its name.
 */
import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** Folders that never hold tests of ours. */
const PASSED_OVER = new Set([
  'node_modules',
  'dist',
  'dist-types',
  'coverage',
  '.git',
  '.yarn',
  '.reports',
  '.data',
]);

/** Suites of jest by the ending of the file name; the last one is what remains. */
const JEST_SUITES = /** @type {const} */ ([
  ['database', /\.database\.test\.tsx?$/],
  ['clusters', /\.clusters\.test\.tsx?$/],
  ['simulation', /\.simulation\.test\.tsx?$/],
  ['unit', /\.test\.tsx?$/],
]);

/**
 * @typedef {'unit' | 'simulation' | 'database' | 'clusters'} JestSuite
 * @typedef {JestSuite | 'scripts' | 'dev' | 'e2e'} TestSuite
 */

/**
 * The suite of a file, or undefined where it is no test.
 *
 * @param {string} path from the root of the repository, with `/`
 * @returns {TestSuite | undefined}
 */
export function suiteOf(path) {
  if (/^(packages|plugins)\/[^/]+\/src\//.test(path)) {
    return JEST_SUITES.find(([, pattern]) => pattern.test(path))?.[0];
  }
  if (/^tools\/test\/.*\.test\.mjs$/.test(path)) {
    return 'scripts';
  }
  if (/^dev\/(.*\/)?test\/.*\.test\.mjs$/.test(path)) {
    return 'dev';
  }
  if (/^e2e\/.*\.test\.ts$/.test(path)) {
    return 'e2e';
  }
  return undefined;
}

/**
 * The files of a suite, sorted; only those whose path has one of the patterns in
 * it where patterns are given.
 *
 * @param {string} root
 * @param {TestSuite} suite
 * @param {string[]} [patterns]
 */
export function testFiles(root, suite, patterns = []) {
  return ['dev', 'e2e', 'packages', 'plugins', 'tools']
    .flatMap(folder => filesBelow(join(root, folder)))
    .map(path => relative(root, path).split(sep).join('/'))
    .filter(path => suiteOf(path) === suite)
    .filter(path => patterns.length === 0 || patterns.some(pattern => path.includes(pattern)))
    .sort();
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function filesBelow(folder) {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap(entry => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      return PASSED_OVER.has(entry.name) ? [] : filesBelow(path);
    }
    return entry.isFile() ? [path] : [];
  });
}
