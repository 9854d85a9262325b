/**
 * `npm start` as it is called, without control planes: what it starts, shows and
 * leaves behind. The clusters and the first release are seen by the browser tests.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePorts } from '../../../tools/test/freePorts.mjs';
import { cacheFolder } from '../../../tools/toolchain.mjs';

const START = fileURLToPath(new URL('../../../tools/start.mjs', import.meta.url));
// The pages may have to be built first, on a machine that is busy.
const PATIENCE_MILLISECONDS = 600_000;
const END_MILLISECONDS = 30_000;
const LOOK_AGAIN_MILLISECONDS = 250;

const parent = mkdtempSync(join(tmpdir(), 'npm-start-'));
/** @type {import('node:child_process').ChildProcess[]} */
const children = [];
after(() => {
  children.forEach(child => child.kill('SIGKILL'));
  rmSync(parent, { recursive: true, force: true, maxRetries: 5 });
});

/**
 * @param {string} name of its data folder
 * @param {string[]} flags
 * @param {NodeJS.ProcessEnv} [env]
 */
async function start(name, flags, env = process.env) {
  const [port, backendPort] = await freePorts(2);
  const data = join(parent, name);
  const child = spawn(
    process.execPath,
    // prettier-ignore
    [START, '--port', `${port}`, '--backend-port', `${backendPort}`, '--data', data, ...flags],
    { env, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  children.push(child);
  const run = { port, backendPort, data, child, ended: once(child, 'close'), output: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', text => {
      run.output += text;
    });
  }
  return run;
}

/**
 * @param {Awaited<ReturnType<typeof start>>} run
 * @param {RegExp} text
 */
async function untilSaid(run, text) {
  await until(`${text}`, PATIENCE_MILLISECONDS, () => {
    assert.equal(run.child.exitCode, null, `it ended: ${run.output}`);
    return text.test(run.output);
  });
}

/**
 * @param {string} what
 * @param {number} milliseconds
 * @param {() => boolean | Promise<boolean>} isSo
 */
async function until(what, milliseconds, isSo) {
  const giveUpAt = Date.now() + milliseconds;
  while (!(await isSo())) {
    assert.ok(Date.now() < giveUpAt, `not so after ${milliseconds / 1000} s: ${what}`);
    await sleep(LOOK_AGAIN_MILLISECONDS);
  }
}

/** Command lines of all that works with a data folder. @param {string} data */
function processesOf(data) {
  return execFileSync('ps', ['-axww', '-o', 'command='], { encoding: 'utf8' })
    .split('\n')
    .filter(line => line.includes(data));
}

/** @param {number} port */
async function isSilent(port) {
  return fetch(`http://127.0.0.1:${port}/`).then(
    () => false,
    () => true,
  );
}

/** @param {number} backendPort */
async function clustersOf(backendPort) {
  const base = `http://127.0.0.1:${backendPort}/api`;
  const signIn = await fetch(`${base}/auth/guest/refresh`, { method: 'POST' });
  const { token } = (await signIn.json()).backstageIdentity;
  const answer = await fetch(`${base}/multicluster-release/clusters`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return (await answer.json()).items;
}

describe('npm start', () => {
  it('brings up the pages without clusters, and ends all it started on Ctrl-C', async () => {
    const run = await start('none', ['--clusters', 'none']);
    await untilSaid(run, /Ctrl-C ends everything/);

    const page = await fetch(`http://localhost:${run.port}/catalog/default/component/checkout`);
    assert.equal(page.status, 200);
    const html = await page.text();
    assert.match(html, /<title>Multicluster Release<\/title>/);
    // The app finds the backend where this start put it.
    assert.ok(html.includes(`http://localhost:${run.backendPort}`));
    assert.deepEqual(await clustersOf(run.backendPort), []);
    assert.match(run.output, /left: pages, Backstage/);
    assert.match(run.output, /There are no clusters, as --clusters none says/);
    assert.ok(processesOf(run.data).length >= 2);

    const second = await start('none', ['--clusters', 'none']);
    await second.ended;
    assert.equal(second.child.exitCode, 1);
    assert.match(second.output, /^.*used by npm start, process \d+;.*--data <folder>\n$/);

    run.child.kill('SIGINT');
    await run.ended;
    assert.equal(run.child.exitCode, 130);
    assert.match(
      run.output,
      /Ending everything.*\n(.*\n)*Everything that was started has ended\n$/,
    );
    assert.deepEqual(processesOf(run.data), []);
    assert.ok((await isSilent(run.port)) && (await isSilent(run.backendPort)));
  });

  it('names contexts that need a program, and leaves nothing when it is killed', async () => {
    const file = join(parent, 'config');
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'no-such-login' };
    writeFileSync(
      file,
      JSON.stringify({
        clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
        users: [
          { name: 'token', user: { token: 'abc' } },
          { name: 'login', user: { exec } },
        ],
        contexts: [
          { name: 'plain', context: { cluster: 'c', user: 'token' } },
          { name: 'cloud', context: { cluster: 'c', user: 'login' } },
        ],
      }),
    );
    const run = await start('kubeconfig', ['--clusters', `kubeconfig:${file}`]);
    await untilSaid(run, /Ctrl-C ends everything/);

    assert.match(run.output, /Context cloud is left out: .*no-such-login.*--allow-exec cloud\n/);
    assert.match(run.output, /Every context of .* is a cluster; nothing is released to them/);
    const states = (await clustersOf(run.backendPort)).map(({ name, state }) => [name, state]);
    assert.deepEqual(states[0], ['cloud', 'refused']);
    assert.equal(states[1][0], 'plain');
    assert.equal(states.length, 2);

    run.child.kill('SIGKILL');
    await run.ended;
    await until('nothing is left', END_MILLISECONDS, () => processesOf(run.data).length === 0);
    assert.ok((await isSilent(run.port)) && (await isSilent(run.backendPort)));
  });

  it('goes on without clusters where Go is too old, and ends in the middle of a start', async () => {
    const cache = join(parent, 'cache');
    mkdirSync(cache);
    symlinkSync(join(cacheFolder(), 'toolchain'), join(cache, 'toolchain'));
    const bin = join(parent, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'go'), '#!/bin/sh\necho go version go1.20 any/any\n');
    chmodSync(join(bin, 'go'), 0o755);
    const run = await start('old', [], {
      ...process.env,
      PATH: [bin, process.env.PATH].join(delimiter),
      MULTICLUSTER_RELEASE_CACHE: cache,
    });
    await untilSaid(run, /Go 1\.26 or newer was not found; the start goes on without clusters\n/);
    await untilSaid(run, /left: pages, Backstage\n/);

    run.child.kill('SIGTERM');
    await run.ended;
    assert.equal(run.child.exitCode, 143);
    assert.doesNotMatch(run.output, /Error/);
    assert.deepEqual(processesOf(run.data), []);
  });
});
