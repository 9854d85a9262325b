/**
 * Builds a Go program into the user's cache, once for each version of its
 * sources. Another checkout with the same sources finds it there.
 */
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { cacheFolder } from './cache.mjs';
import { HarnessError } from './errors.mjs';
import { withLock } from './lock.mjs';

const OLDEST_GO = { major: 1, minor: 26 };
const OLD_BUILD_MILLISECONDS = 30 * 24 * 60 * 60 * 1000;
const run = promisify(execFile);

/**
 * @typedef {object} Program
 * @property {string} name Of the binary, and of its folder in the cache.
 * @property {string} sources The folder of its go.mod, and of its Go files where it has some.
 * @property {string} [package] What is built; the folder itself where it is left out.
 * @property {string[]} flags Of `go build`, beside those that every program of ours gets.
 * @property {string} made What it is made of, for people, for example "Kubernetes".
 * @property {string} product What it is, for people, for example "the control planes".
 *
 * @typedef {object} BuildProgress
 * @property {'waiting' | 'downloading' | 'compiling' | 'linking' | 'done'} step
 * @property {string} message What it does, for people.
 * @property {number} seconds Since the build began.
 * @property {number} [done] Packages compiled so far.
 * @property {number} [total] Packages to compile; those that Go has in its own cache do not count.
 *
 * @typedef {object} BuildResult
 * @property {string} binary
 * @property {boolean} built False if it was there already.
 * @property {number} seconds
 *
 * @typedef {object} Step
 * @property {Program} program
 * @property {(progress: Omit<BuildProgress, 'seconds'>) => void} tell
 * @property {AbortSignal} [signal]
 */

/**
 * @typedef {object} BuildOptions
 * @property {(progress: BuildProgress) => void} [onProgress]
 * @property {AbortSignal} [signal]
 *
 * @param {Program} program
 * @param {BuildOptions} [options]
 * @returns {Promise<BuildResult>}
 */
export async function buildGoProgram(program, { onProgress = () => {}, signal } = {}) {
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  const folder = path.join(cacheFolder(), program.name, sourceKey(program));
  const binary = path.join(folder, program.name);
  if (isBuilt(binary)) {
    return { binary, built: false, seconds: seconds() };
  }
  await checkGo(program);

  /** @type {Step['tell']} */
  const tell = progress => onProgress({ ...progress, seconds: seconds() });
  const built = await withLock(
    `${folder}.lock`,
    () => buildInto(folder, { program, tell, signal }),
    {
      timeoutSeconds: 45 * 60,
      onWait: pid =>
        tell({
          step: 'waiting',
          message: `waiting for process ${pid}, which builds ${program.product}`,
        }),
    },
  );
  tell({ step: 'done', message: `built ${program.product}` });
  return { binary, built, seconds: seconds() };
}

/** Whether it is there; its folder remembers when it was last wanted. */
function isBuilt(/** @type {string} */ binary) {
  if (!fs.existsSync(binary)) {
    return false;
  }
  const now = new Date();
  fs.utimesSync(path.dirname(binary), now, now);
  return true;
}

/** Everything that decides what comes out: sources, versions, flags and platform. */
function sourceKey(/** @type {Program} */ program) {
  const hash = createHash('sha256');
  const files = fs
    .readdirSync(program.sources)
    .filter(file => /^go\.(mod|sum)$|(?<!_test)\.go$/.test(file))
    .sort();
  for (const file of files) {
    hash.update(`${file}\0`).update(fs.readFileSync(path.join(program.sources, file)));
  }
  const named = program.package ? [program.package] : [];
  hash.update([...flagsOf(program), ...named, process.platform, process.arch].join('\0'));
  return hash.digest('hex').slice(0, 16);
}

function flagsOf(/** @type {Program} */ program) {
  return [
    // go.mod and go.sum are complete; a build never changes them.
    '-mod=readonly',
    '-trimpath',
    '-buildvcs=false',
    ...program.flags,
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

async function checkGo(/** @type {Program} */ { sources, product }) {
  const oldest = `${OLDEST_GO.major}.${OLDEST_GO.minor}`;
  let version;
  try {
    const { stdout } = await run('go', ['env', 'GOVERSION'], {
      cwd: sources,
      env: { ...goEnvironment(), GOTOOLCHAIN: 'local' },
    });
    version = stdout.trim();
  } catch (error) {
    if (error.code === 'ENOENT') {
      throw new HarnessError(
        `go: not found; install Go ${oldest} or newer and put it on the PATH, it builds ${product}`,
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
      `go: this is ${version.trim()}; install Go ${oldest} or newer, it builds ${product}`,
    );
  }
}

/**
 * Builds beside the final place and moves it there at once, so that an
 * interrupted build leaves nothing half.
 *
 * @param {string} folder
 * @param {Step} step
 * @returns {Promise<boolean>} False if another process has built it while we waited.
 */
async function buildInto(folder, step) {
  const { name } = step.program;
  if (isBuilt(path.join(folder, name))) {
    return false;
  }
  removeOldBuilds(path.dirname(folder));
  const unfinished = `${folder}.unfinished`;
  // Ours to clear: we hold the lock of this build.
  fs.rmSync(unfinished, { recursive: true, force: true });
  fs.mkdirSync(unfinished, { recursive: true });
  try {
    const total = await countStalePackages(step);
    await compile(path.join(unfinished, name), total, step);
    fs.renameSync(unfinished, folder);
    return true;
  } finally {
    fs.rmSync(unfinished, { recursive: true, force: true });
  }
}

/** Each is 50 to 140 MB: those that no checkout has asked for in a month go. */
function removeOldBuilds(/** @type {string} */ folder) {
  for (const name of fs.existsSync(folder) ? fs.readdirSync(folder) : []) {
    const old = path.join(folder, name);
    if (Date.now() - fs.statSync(old).mtimeMs > OLD_BUILD_MILLISECONDS) {
      fs.rmSync(old, { recursive: true, force: true });
    }
  }
}

/**
 * Downloads the modules and asks Go what it would have to compile.
 *
 * @param {Step} step
 */
async function countStalePackages({ program, tell, signal }) {
  let modules = 0;
  const report = () =>
    tell({
      step: 'downloading',
      message: `bringing the sources of ${program.made}, ${modules} modules`,
    });
  const stale = ['-deps', '-f', '{{if .Stale}}{{.ImportPath}}{{end}}'];
  const list = ['list', ...flagsOf(program), ...stale, program.package ?? '.'];
  const { stdout } = await whileReporting(report, () =>
    go(program, list, {
      signal,
      onLine: line => {
        modules += line.startsWith('go: downloading') ? 1 : 0;
      },
    }),
  );
  return stdout.split('\n').filter(Boolean).length;
}

/**
 * @param {string} output
 * @param {number} total Packages that Go has not compiled before.
 * @param {Step} step
 */
async function compile(output, total, { program, tell, signal }) {
  let done = 0;
  const report = () =>
    tell(
      done < total - 1
        ? { step: 'compiling', message: `compiling ${program.made}`, done, total }
        : { step: 'linking', message: `linking ${program.product}` },
    );
  await whileReporting(report, () =>
    go(program, ['build', '-v', ...flagsOf(program), '-o', output, program.package ?? '.'], {
      signal,
      onLine: line => {
        done += isPackage(line) ? 1 : 0;
      },
    }),
  );
}

/**
 * Also while one large package takes its time, so that the seconds move on.
 *
 * @template T
 * @param {() => void} report
 * @param {() => Promise<T>} action
 * @returns {Promise<T>}
 */
async function whileReporting(report, action) {
  report();
  const timer = setInterval(report, 1000);
  try {
    return await action();
  } finally {
    clearInterval(timer);
  }
}

/** `go build -v` names each package on its error output when it is done. */
function isPackage(/** @type {string} */ line) {
  return /^[\w.-]+(\/[\w.~-]+)*$/.test(line);
}

/**
 * @param {Program} program
 * @param {string[]} parameters
 * @param {{ signal?: AbortSignal, onLine: (line: string) => void }} options Lines of its error output.
 * @returns {Promise<{ stdout: string }>}
 */
function go({ sources }, parameters, { signal, onLine }) {
  return new Promise((resolve, reject) => {
    const child = spawn('go', parameters, {
      cwd: sources,
      env: goEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
    });
    let stdout = '';
    /** @type {string[]} */
    const messages = [];
    child.stdout.on('data', chunk => (stdout += chunk));
    createInterface({ input: child.stderr }).on('line', line => {
      onLine(line);
      if (!isPackage(line) && !line.startsWith('go: downloading')) {
        messages.push(line);
      }
    });
    child.once('error', reject);
    child.once('close', code =>
      code === 0 ? resolve({ stdout }) : reject(failure(sources, parameters[0], messages)),
    );
  });
}

/** @param {string} sources @param {string} command @param {string[]} messages */
function failure(sources, command, messages) {
  return new HarnessError(
    `go ${command}: failed in ${sources}\n${messages.slice(-20).join('\n')}\n` +
      'Correct what it says, or try again if a download failed.',
  );
}
