import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { runCommand } from '../run.mjs';
import { NODE_VERSION, toolchainEnvironment } from '../toolchain.mjs';
import { StartError } from './StartError.mjs';

const SOURCES = [
  'app-config.yaml',
  'yarn.lock',
  'packages/app/package.json',
  'packages/app/public',
  'packages/app/src',
  'plugins/multicluster-release/package.json',
  'plugins/multicluster-release/src',
  'plugins/multicluster-release-common/package.json',
  'plugins/multicluster-release-common/src',
];

/** Inside of what it speaks of: a build by anybody else takes it away. */
const MARK = ['packages', 'app', 'dist', '.built-from'];

/**
 * Builds the pages, where something changed since they were last built here.
 *
 * @param {object} options
 * @param {string} options.root
 * @param {import('../toolchain.mjs').Toolchain} options.toolchain
 * @param {string} options.logFile
 * @returns {Promise<'built' | 'unchanged'>}
 */
export async function buildApp({ root, toolchain, logFile }) {
  const wanted = appFingerprint(root);
  if (await isBuiltFrom(root, wanted)) {
    return 'unchanged';
  }
  const { code } = await runCommand('yarn', ['workspace', 'app', 'build'], {
    cwd: root,
    env: { ...toolchainEnvironment(toolchain), NODE_ENV: 'production' },
    quiet: true,
    logFile,
  });
  if (code !== 0) {
    throw new StartError(`The pages could not be built (exit code ${code}); see ${logFile}`);
  }
  await writeFile(join(root, ...MARK), wanted);
  return 'built';
}

/** @param {string} root */
export function isAppBuilt(root) {
  return isBuiltFrom(root, appFingerprint(root));
}

/** @param {string} root @param {string} wanted */
async function isBuiltFrom(root, wanted) {
  const mark = await readFile(join(root, ...MARK), 'utf8').catch(() => undefined);
  return mark === wanted;
}

/**
 * A digest of all that ends up in the pages.
 *
 * @param {string} root
 */
export function appFingerprint(root) {
  const hash = createHash('sha256').update(NODE_VERSION);
  for (const path of SOURCES.flatMap(source => filesAt(root, source))) {
    hash.update(`\n${path}\n`).update(readFileSync(join(root, path)));
  }
  return hash.digest('hex');
}

/**
 * @param {string} root
 * @param {string} path
 * @returns {string[]}
 */
function filesAt(root, path) {
  if (!existsSync(join(root, path))) {
    return [];
  }
  if (/\.(json|yaml|lock)$/.test(path)) {
    return [path];
  }
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map(entry => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}
