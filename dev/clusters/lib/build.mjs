/**
 * Builds the control plane binary into the user's cache, once for each version
 * of its sources. Another checkout with the same sources finds it there.
 */
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cacheFolder } from './cache.mjs';
import { HarnessError } from './errors.mjs';
import { withLock } from './lock.mjs';

/** Without it the API server calls itself v0.0.0-master, and rules about versions fail. */
export const KUBERNETES_VERSION = 'v1.36.3';

const OLDEST_GO = { major: 1, minor: 26 };
const SOURCES = fileURLToPath(new URL('..', import.meta.url));
const NAME = 'controlplane';
const run = promisify(execFile);

/**
 * @typedef {object} BuildProgress
 * @property {'waiting' | 'downloading' | 'compiling' | 'linking' | 'done'} step
 * @property {string} message What it does, for people.
 * @property {number} seconds Since the build began.
 * @property {number} [done] Packages compiled so far.
 * @property {number} [total] Packages to compile; what Go still has in its own cache counts as none.
 *
 * @typedef {object} BuildResult
 * @property {string} binary
 * @property {boolean} built False if it was there already.
 * @property {number} seconds
 */

/**
 * @param {{ onProgress?: (progress: BuildProgress) => void }} [options]
 * @returns {Promise<BuildResult>}
 */
export async function build({ onProgress = () => {} } = {}) {
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  const folder = path.join(cacheFolder(), NAME, sourceKey());
  const binary = path.join(folder, NAME);
  if (fs.existsSync(binary)) {
    return { binary, built: false, seconds: seconds() };
  }
  await checkGo();

  /** @param {Omit<BuildProgress, 'seconds'>} progress */
  const tell = progress => onProgress({ ...progress, seconds: seconds() });
  return withLock(
    `${folder}.lock`,
    async () => {
      if (fs.existsSync(binary)) {
        return { binary, built: false, seconds: seconds() };
      }
      await buildInto(folder, tell);
      tell({ step: 'done', message: 'control planes are built' });
      return { binary, built: true, seconds: seconds() };
    },
    {
      timeoutSeconds: 45 * 60,
      onWait: pid =>
        tell({
          step: 'waiting',
          message: `another process (${pid}) is building the control planes`,
        }),
    },
  );
}

/** Everything that decides what comes out: sources, versions, flags and platform. */
function sourceKey() {
  const hash = createHash('sha256');
  const files = fs
    .readdirSync(SOURCES)
    .filter(file => /^go\.(mod|sum)$|\.go$/.test(file))
    .sort();
  for (const file of files) {
    hash.update(`${file}\0`).update(fs.readFileSync(path.join(SOURCES, file)));
  }
  hash.update([...flags(), process.platform, process.arch].join('\0'));
  return hash.digest('hex').slice(0, 16);
}

function flags() {
  const version = 'k8s.io/component-base/version';
  const [major, minor] = KUBERNETES_VERSION.slice(1).split('.');
  return [
    // go.mod and go.sum are complete; a build never changes them.
    '-mod=readonly',
    '-trimpath',
    '-buildvcs=false',
    '-ldflags',
    `-s -w -X ${version}.gitVersion=${KUBERNETES_VERSION} -X ${version}.gitMajor=${major} -X ${version}.gitMinor=${minor}`,
  ];
}

function goEnvironment() {
  return {
    ...process.env,
    // Plain Go only: no C compiler is needed, and the binary runs on any libc.
    CGO_ENABLED: '0',
    // A go.work above the checkout would change what is built.
    GOWORK: 'off',
  };
}

async function checkGo() {
  const oldest = `${OLDEST_GO.major}.${OLDEST_GO.minor}`;
  let version;
  try {
    const { stdout } = await run('go', ['env', 'GOVERSION'], {
      cwd: SOURCES,
      env: { ...goEnvironment(), GOTOOLCHAIN: 'local' },
    });
    version = stdout.trim();
  } catch (error) {
    if (error.code === 'ENOENT') {
      throw new HarnessError(
        `go: not found; install Go ${oldest} or newer and put it on the PATH, the clusters are built with it`,
      );
    }
    // This Go refuses the version in go.mod before it answers anything.
    version = /running go ([\d.]+)/.exec(error.stderr)?.[1] ?? error.stderr;
  }
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? [];
  const isNew =
    Number(major) > OLDEST_GO.major ||
    (Number(major) === OLDEST_GO.major && Number(minor) >= OLDEST_GO.minor);
  if (!isNew) {
    throw new HarnessError(
      `go: this is ${version.trim()}; install Go ${oldest} or newer, the clusters are built with it`,
    );
  }
}

/**
 * Builds beside the final place and moves it there at once, so that an
 * interrupted build leaves nothing half.
 *
 * @param {string} folder
 * @param {(progress: Omit<BuildProgress, 'seconds'>) => void} tell
 */
async function buildInto(folder, tell) {
  const unfinished = `${folder}.${process.pid}.unfinished`;
  removeUnfinished(path.dirname(folder));
  fs.mkdirSync(unfinished, { recursive: true });
  try {
    tell({ step: 'downloading', message: 'bringing the sources of Kubernetes' });
    const total = await countStalePackages();
    await compile(path.join(unfinished, NAME), total, tell);
    fs.rmSync(folder, { recursive: true, force: true });
    fs.renameSync(unfinished, folder);
  } finally {
    fs.rmSync(unfinished, { recursive: true, force: true });
  }
}

/** What builds that were killed have left. We hold the lock of this key; others may be building other keys. */
function removeUnfinished(/** @type {string} */ folder) {
  for (const name of fs.existsSync(folder) ? fs.readdirSync(folder) : []) {
    const pid = Number(/\.(\d+)\.unfinished$/.exec(name)?.[1]);
    if (pid && !isProcess(pid)) {
      fs.rmSync(path.join(folder, name), { recursive: true, force: true });
    }
  }
}

function isProcess(/** @type {number} */ pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Downloads the modules and asks Go what it would have to compile. */
async function countStalePackages() {
  const { stdout } = await go([
    'list',
    ...flags(),
    '-deps',
    '-f',
    '{{if .Stale}}{{.ImportPath}}{{end}}',
    '.',
  ]);
  return stdout.split('\n').filter(Boolean).length;
}

/**
 * @param {string} output
 * @param {number} total
 * @param {(progress: Omit<BuildProgress, 'seconds'>) => void} tell
 */
async function compile(output, total, tell) {
  let done = 0;
  const report = () =>
    tell(
      done < total - 1
        ? { step: 'compiling', message: 'compiling Kubernetes', done, total }
        : { step: 'linking', message: 'linking the control planes', done, total },
    );
  // Also while one large package takes its time, so that the seconds move on.
  const timer = setInterval(report, 1000);
  try {
    await go(['build', '-v', ...flags(), '-o', output, '.'], () => {
      done += 1;
      report();
    });
  } finally {
    clearInterval(timer);
  }
}

/**
 * @param {string[]} parameters
 * @param {(packagePath: string) => void} [onPackage] Called for each package that Go names on its error output.
 * @returns {Promise<{ stdout: string }>}
 */
function go(parameters, onPackage) {
  return new Promise((resolve, reject) => {
    const child = spawn('go', parameters, {
      cwd: SOURCES,
      env: goEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    /** @type {string[]} */
    const messages = [];
    child.stdout.on('data', chunk => (stdout += chunk));
    createInterface({ input: child.stderr }).on('line', line => {
      if (/^[\w.-]+(\/[\w.~-]+)*$/.test(line)) {
        onPackage?.(line);
      } else if (!line.startsWith('go: downloading')) {
        messages.push(line);
      }
    });
    child.once('error', reject);
    child.once('close', code =>
      code === 0
        ? resolve({ stdout })
        : reject(
            new HarnessError(
              `go ${parameters[0]}: failed in ${SOURCES}\n${messages
                .slice(-20)
                .join('\n')}\nRun "go build ." there to see all of it.`,
            ),
          ),
    );
  });
}
