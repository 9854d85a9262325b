import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, describe, it } from 'node:test';
import { runCommand } from '../run.mjs';

const folder = mkdtempSync(join(tmpdir(), 'run-'));
after(() => rmSync(folder, { recursive: true }));

/** @param {string} code */
const node = code => ['--input-type=module', '--eval', code];

/**
 * Whether a program still runs; one that ended and waits to be counted does not.
 *
 * @param {number} pid
 */
function isRunning(pid) {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}

describe('runCommand', () => {
  it('gives the exit code, and writes both outputs to the log', async () => {
    const logFile = join(folder, 'both.log');
    const args = node('console.log("out"); console.error("err"); process.exitCode = 3;');
    const { code } = await runCommand(process.execPath, args, { quiet: true, logFile });
    assert.equal(code, 3);
    assert.deepEqual(readFileSync(logFile, 'utf8').trim().split('\n').sort(), ['err', 'out']);
  });

  it('never reports success for a program that a signal ended', async () => {
    const args = node('process.kill(process.pid, "SIGKILL"); setInterval(() => {}, 1000);');
    assert.equal((await runCommand(process.execPath, args, { quiet: true })).code, 137);
  });

  it('never reports success for a program that does not exist', async () => {
    assert.equal((await runCommand(join(folder, 'none'), [], { quiet: true })).code, 127);
  });

  it('does not wait for what a program left behind, and ends it', async () => {
    const logFile = join(folder, 'left.log');
    const args = ['-c', 'sleep 60 & echo $!'];
    const { milliseconds } = await runCommand('sh', args, { quiet: true, logFile });
    assert.ok(milliseconds < 10_000);
    assert.equal(isRunning(Number(readFileSync(logFile, 'utf8'))), false);
  });
});

describe('stopAllOnSignals', () => {
  it('ends what a started program started in turn', async () => {
    const run = new URL('../run.mjs', import.meta.url).href;
    // A program whose child prints its id and would live for ever.
    const program = `
      import { runCommand, stopAllOnSignals } from ${JSON.stringify(run)};
      stopAllOnSignals();
      await runCommand('sh', ['-c', 'sh -c "echo \\$\\$; while true; do sleep 1; done"; true']);
    `;
    const child = spawn(process.execPath, node(program), { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = new Promise(resolve => child.once('close', resolve));
    const line = await new Promise(resolve => createInterface(child.stdout).once('line', resolve));
    const grandchild = Number(line);
    assert.equal(isRunning(grandchild), true);

    child.kill('SIGTERM');

    assert.equal(await ended, 143);
    assert.equal(isRunning(grandchild), false);
  });
});
