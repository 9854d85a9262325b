import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'node:test';

const url = path => JSON.stringify(new URL(path, import.meta.url).href);

describe('startGuard', () => {
  it('ends what was started when its process is killed, also what does not listen', async () => {
    const program = `
      import { runCommand } from ${url('../run.mjs')};
      import { startGuard } from ${url('../start/startGuard.mjs')};
      startGuard();
      await runCommand('sh', ['-c', 'trap "" TERM; echo $$; while true; do sleep 1; done']);
    `;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(createInterface(child.stdout), 'line');
    const group = Number(line);
    assert.equal(process.kill(-group, 0), true);

    child.kill('SIGKILL');

    const giveUpAt = Date.now() + 30_000;
    while (isThere(group) && Date.now() < giveUpAt) {
      await sleep(50);
    }
    assert.equal(isThere(group), false);
  });
});

/** @param {number} group */
function isThere(group) {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}
