import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cacheFolder } from './cacheFolder.mjs';

const SOURCE = join(dirname(fileURLToPath(import.meta.url)), '..');
const KUBERNETES_VERSION = 'v1.36.3';
// Without it `/version` says v0.0.0-master, and every rule on Kubernetes versions fails.
const LINK_FLAGS = `-s -w -X k8s.io/component-base/version.gitVersion=${KUBERNETES_VERSION}`;
const NEEDED_GO = [1, 26];

/** Where the program of these sources is, or will be once it is built. */
export async function programPath() {
  const hash = createHash('sha256').update(LINK_FLAGS);
  const names = (await readdir(SOURCE)).filter(name => /\.go$|^go\.(mod|sum)$/.test(name)).sort();
  for (const name of names) {
    hash.update(name).update(await readFile(join(SOURCE, name)));
  }
  return join(cacheFolder(), 'controlplane', hash.digest('hex').slice(0, 16), 'controlplane');
}

/**
 * Builds the program unless it is there. Interrupted or concurrent builds leave
 * nothing half: each writes its own file and moves it into place.
 *
 * @param {(text: string) => void} [progress] told what happens, every few seconds
 * @returns {Promise<string>} the program's path
 */
export async function build(progress = () => {}) {
  const program = await programPath();
  if (existsSync(program)) {
    return program;
  }
  await requireGo();
  await mkdir(dirname(program), { recursive: true });
  const unfinished = `${program}.${process.pid}`;
  try {
    await compile(unfinished, progress);
    await rename(unfinished, program);
  } finally {
    await rm(unfinished, { force: true });
  }
  return program;
}

/** @returns {Promise<void>} @throws Error saying what to do, where Go is missing or too old */
export async function requireGo() {
  const [major, minor] = NEEDED_GO;
  const wanted = `Go ${major}.${minor} or newer is needed to build the development clusters (https://go.dev/dl)`;
  let printed;
  try {
    printed = (await promisify(execFile)('go', ['env', 'GOVERSION'])).stdout.trim();
  } catch {
    throw new Error(`${wanted}; the command \`go\` was not found.`);
  }
  const found = /go(\d+)\.(\d+)/.exec(printed);
  if (!found || Number(found[1]) < major || (Number(found[1]) === major && Number(found[2]) < minor)) {
    throw new Error(`${wanted}; found ${printed}.`);
  }
}

function compile(target, progress) {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  const child = spawn('go', ['build', '-trimpath', '-buildvcs=false', '-ldflags', LINK_FLAGS, '-o', target, '.'], {
    cwd: SOURCE,
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  progress('building the control planes with Go: 5 to 10 minutes the first time, kept for later');
  const timer = setInterval(() => progress(`building the control planes: ${seconds()} s so far`), 15_000);
  let errors = '';
  child.stderr.on('data', chunk => {
    errors = (errors + chunk).slice(-4000);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', code => {
      clearInterval(timer);
      if (code === 0) {
        progress(`built the control planes in ${seconds()} s`);
        resolve(undefined);
      } else {
        reject(new Error(`The control planes could not be built (go build exited with ${code}):\n${errors}`));
      }
    });
  });
}
