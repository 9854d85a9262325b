import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { describe, it } from 'node:test';
import { CLI, eventually, run, temporaryFolder } from './support.mjs';

/**
 * A Go of our own, so that these tests take no minutes. Its `build` waits for a
 * file named "go-on" in the folder, and counts itself.
 */
function fakeGo(/** @type {string} */ folder, { version = 'go1.26.8' } = {}) {
  fs.writeFileSync(
    path.join(folder, 'go'),
    `#!/bin/sh
case "$1" in
  env) echo ${version};;
  list) echo main;;
  build)
    echo build >> "${folder}/builds"
    while [ ! -e "${folder}/go-on" ]; do sleep 0.05; done
    while [ "$1" != "-o" ]; do shift; done
    echo built > "$2";;
esac
`,
    { mode: 0o755 },
  );
  return {
    ...process.env,
    PATH: `${folder}:${process.env.PATH}`,
    MULTICLUSTER_RELEASE_CACHE: path.join(folder, 'cache'),
  };
}

/** @param {NodeJS.ProcessEnv} environment */
function build(environment) {
  return run(process.execPath, [CLI, 'build', '--json'], { environment });
}

/** @param {string} folder */
function buildsBegun(folder) {
  const file = path.join(folder, 'builds');
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim().split('\n').length : 0;
}

describe('build', () => {
  it('builds once, and finds it the next time', async test => {
    const folder = temporaryFolder(test);
    const environment = fakeGo(folder);
    fs.writeFileSync(path.join(folder, 'go-on'), '');
    const first = JSON.parse((await build(environment)).stdout);
    const second = JSON.parse((await build(environment)).stdout);
    assert.deepEqual([first.built, second.built], [true, false]);
    assert.equal(first.binary, second.binary);
    assert.equal(fs.readFileSync(first.binary, 'utf8'), 'built\n');
  });

  it('lets two who want it at once share one build', async test => {
    const folder = temporaryFolder(test);
    const environment = fakeGo(folder);
    const both = [build(environment), build(environment)];
    await eventually('one builds', () => buildsBegun(folder) === 1);
    fs.writeFileSync(path.join(folder, 'go-on'), '');
    const results = (await Promise.all(both)).map(({ stdout }) => JSON.parse(stdout));
    assert.deepEqual(results.map(({ built }) => built).sort(), [false, true]);
    assert.equal(buildsBegun(folder), 1);
  });

  it('leaves nothing half when it is killed, and begins again', async test => {
    const folder = temporaryFolder(test);
    const environment = fakeGo(folder);
    const killed = spawn(process.execPath, [CLI, 'build'], { env: environment });
    await eventually('it builds', () => buildsBegun(folder) === 1);
    killed.kill('SIGKILL');
    fs.writeFileSync(path.join(folder, 'go-on'), '');
    const { built, binary } = JSON.parse((await build(environment)).stdout);
    assert.equal(built, true);
    assert.equal(fs.readFileSync(binary, 'utf8'), 'built\n');
  });

  it('says in one line that Go is missing', async test => {
    const environment = {
      PATH: temporaryFolder(test),
      MULTICLUSTER_RELEASE_CACHE: temporaryFolder(test),
    };
    const { code, stderr } = await build(environment);
    assert.equal(code, 1);
    assert.match(stderr, /^go: not found; install Go 1\.26 or newer[^\n]*\n$/);
  });

  it('says in one line that Go is too old', async test => {
    const { code, stderr } = await build(fakeGo(temporaryFolder(test), { version: 'go1.25.9' }));
    assert.equal(code, 1);
    assert.match(stderr, /^go: this is go1\.25\.9; install Go 1\.26 or newer[^\n]*\n$/);
  });
});
