import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { down } from '../lib/down.mjs';
import { withLock } from '../lib/lock.mjs';
import { endRecorded, inspectProcess, recordOf, signalRecorded } from '../lib/processes.mjs';
import { temporaryFolder } from './support.mjs';

describe('recorded processes', () => {
  it('are ended', async () => {
    const record = recordOf(spawn('sleep', ['600']).pid);
    await endRecorded(record);
    assert.equal(inspectProcess(record.pid), undefined);
  });

  it('are left alone where another process has their pid now', async test => {
    const other = spawn('sleep', ['600']);
    test.after(() => other.kill());
    const record = { ...recordOf(other.pid), startTime: 'long ago' };
    assert.equal(signalRecorded(record, 'SIGKILL'), false);
    await endRecorded(record);
    assert.ok(inspectProcess(other.pid));
  });
});

describe('a lock', () => {
  it('lets one in at a time', async test => {
    const file = path.join(temporaryFolder(test), 'lock');
    let inside = 0;
    let most = 0;
    const enter = () =>
      withLock(file, async () => {
        inside += 1;
        most = Math.max(most, inside);
        await new Promise(resolve => setImmediate(resolve));
        inside -= 1;
      });
    await Promise.all(Array.from({ length: 5 }, enter));
    assert.equal(most, 1);
  });

  it('is taken over from a dead holder', async test => {
    const file = path.join(temporaryFolder(test), 'lock');
    fs.writeFileSync(file, JSON.stringify({ pid: process.pid, startTime: 'long ago' }));
    assert.equal(await withLock(file, async () => 'inside'), 'inside');
    assert.equal(fs.existsSync(file), false);
  });
});

describe('down', () => {
  it('has nothing to end where its folder is removed while it waits', async test => {
    const folder = temporaryFolder(test);
    fs.writeFileSync(path.join(folder, 'lock'), JSON.stringify(recordOf(process.pid)));
    const ending = down(folder, []);
    fs.rmSync(folder, { recursive: true });
    assert.deepEqual(await ending, []);
    assert.equal(fs.existsSync(folder), false);
  });
});
