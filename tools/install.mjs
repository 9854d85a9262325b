/**
 * `yarn install`, but only where something changed since it last succeeded here.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCommand } from './run.mjs';
import { NODE_VERSION, toolchainEnvironment, YARN_VERSION } from './toolchain.mjs';

/**
 * @param {object} options
 * @param {string} options.root
 * @param {import('./toolchain.mjs').Toolchain} options.toolchain
 * @param {string} [options.logFile]
 * @param {boolean} [options.quiet]
 * @returns {Promise<'installed' | 'unchanged'>}
 */
export async function installDependencies({ root, toolchain, logFile, quiet }) {
  const release = await takeLock(join(root, '.yarn', 'install.lock'));
  try {
    const wanted = fingerprint(root);
    const mark = join(root, 'node_modules', '.installed');
    if ((await readFile(mark, 'utf8').catch(() => undefined)) === wanted) {
      return 'unchanged';
    }
    const { code } = await runCommand('yarn', ['install', '--immutable'], {
      cwd: root,
      env: toolchainEnvironment(toolchain),
      logFile,
      quiet,
    });
    if (code !== 0) {
      throw new Error(
        `yarn install failed (exit code ${code})${logFile ? `; see ${logFile}` : ''}`,
      );
    }
    await writeFile(mark, wanted);
    return 'installed';
  } finally {
    await release();
  }
}

/**
 * A digest of all that decides what is installed.
 *
 * @param {string} root
 */
export function fingerprint(root) {
  const hash = createHash('sha256').update(
    `node ${NODE_VERSION} yarn ${YARN_VERSION} ${process.platform} ${process.arch}`,
  );
  for (const path of ['package.json', 'yarn.lock', '.yarnrc.yml', ...workspaceManifests(root)]) {
    if (existsSync(join(root, path))) {
      hash.update(`\n${path}\n`).update(readFileSync(join(root, path)));
    }
  }
  return hash.digest('hex');
}

/** @param {string} root */
function workspaceManifests(root) {
  /** @type {string[]} */
  const patterns = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).workspaces ?? [];
  return patterns
    .flatMap(pattern => {
      if (!pattern.endsWith('/*')) {
        return [pattern];
      }
      const folder = pattern.slice(0, -2);
      return existsSync(join(root, folder))
        ? readdirSync(join(root, folder)).map(name => `${folder}/${name}`)
        : [];
    })
    .map(folder => `${folder}/package.json`)
    .sort();
}

/**
 * Two installs at once in one clone break each other.
 *
 * @param {string} folder made by whoever holds the lock
 * @returns {Promise<() => Promise<void>>} gives the lock back
 */
async function takeLock(folder) {
  await mkdir(join(folder, '..'), { recursive: true });
  for (;;) {
    try {
      await mkdir(folder);
      await writeFile(join(folder, 'pid'), String(process.pid));
      return () => rm(folder, { recursive: true, force: true });
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') {
        throw error;
      }
    }
    // The holder writes its id right after it made the folder.
    await sleep(500);
    const holder = Number(await readFile(join(folder, 'pid'), 'utf8').catch(() => '0'));
    if (!isAlive(holder)) {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

/** @param {number} pid */
function isAlive(pid) {
  if (!pid) {
    return false;
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
