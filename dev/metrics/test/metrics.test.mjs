import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eventually, run, temporaryFolder } from '../../clusters/test/support.mjs';

const CLI = fileURLToPath(new URL('../cli.mjs', import.meta.url));

/** Says that it is ready, as Prometheus does; a configuration that says "wrong" ends it. */
const FAKE_PROMETHEUS = `#!${process.execPath}
const fs = require('node:fs');
const option = name => process.argv.find(each => each.startsWith(name)).slice(name.length);
if (fs.readFileSync(option('--config.file='), 'utf8').includes('wrong')) {
  console.error('error loading config: it is wrong');
  process.exit(1);
}
const port = option('--web.listen-address=127.0.0.1:');
require('node:http')
  .createServer((request, response) => response.writeHead(request.url === '/-/ready' ? 200 : 404).end())
  .listen(Number(port), '127.0.0.1');
`;

/**
 * A Go of our own, so that these tests take no minutes. It writes down how it is
 * called, and builds a Prometheus of our own.
 */
function surroundings(/** @type {import('node:test').TestContext} */ test) {
  const folder = temporaryFolder(test);
  fs.writeFileSync(path.join(folder, 'fake'), FAKE_PROMETHEUS, { mode: 0o755 });
  fs.writeFileSync(
    path.join(folder, 'go'),
    `#!/bin/sh
case "$1" in
  env) echo go1.26.8;;
  list) echo main;;
  build)
    echo "$@" >> "${folder}/builds"
    while [ "$1" != "-o" ]; do shift; done
    cp "${folder}/fake" "$2";;
esac
`,
    { mode: 0o755 },
  );
  const environment = {
    ...process.env,
    PATH: `${folder}:${process.env.PATH}`,
    MULTICLUSTER_RELEASE_CACHE: path.join(folder, 'cache'),
  };
  return { folder, environment };
}

/** @param {{ folder: string }} where @param {string} text */
function configIn({ folder }, text) {
  const file = path.join(folder, 'prometheus.yml');
  fs.writeFileSync(file, text);
  return ['run', '--config', file, '--data', folder];
}

/** @param {number} pid */
function isThere(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('the Prometheus of the tests', () => {
  it('is built once, without the discovery of clouds', async test => {
    const { folder, environment } = surroundings(test);
    const first = await run(process.execPath, [CLI, 'build'], { environment });
    const second = await run(process.execPath, [CLI, 'build'], { environment });
    assert.equal(first.stdout, second.stdout);
    assert.equal(fs.readFileSync(first.stdout.trim(), 'utf8'), FAKE_PROMETHEUS);
    const builds = fs.readFileSync(path.join(folder, 'builds'), 'utf8').trim().split('\n');
    assert.equal(builds.length, 1);
    assert.match(
      builds[0],
      / -tags remove_all_sd .*github\.com\/prometheus\/prometheus\/cmd\/prometheus$/,
    );
  });

  for (const [how, end] of /** @type {const} */ ([
    ['with its standard input', child => child.stdin.end()],
    ['on request', child => child.kill('SIGTERM')],
  ])) {
    it(`answers, and ends ${how}`, async test => {
      const where = surroundings(test);
      const child = spawn(process.execPath, [CLI, ...configIn(where, 'global: {}')], {
        env: where.environment,
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      const [line] = await once(child.stdout, 'data');
      const { address, pid } = JSON.parse(String(line));
      assert.equal((await fetch(`${address}/-/ready`)).status, 200);
      end(child);
      const [code] = await once(child, 'exit');
      assert.equal(code, 0);
      await eventually('it is gone', () => !isThere(pid));
    });
  }

  it('that cannot start is told of with its own words', async test => {
    const where = surroundings(test);
    const { code, stderr } = await run(process.execPath, [CLI, ...configIn(where, 'wrong')], {
      environment: where.environment,
    });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /prometheus: ended at once; correct what it says\nerror loading config: it is wrong\n$/,
    );
  });

  it('says how it is called', async test => {
    const { environment } = surroundings(test);
    for (const parameters of [[], ['run'], ['run', '--nope']]) {
      const { code, stderr } = await run(process.execPath, [CLI, ...parameters], { environment });
      assert.equal(code, 1);
      assert.match(stderr, /run {5}starts one on a free port/);
    }
  });
});
