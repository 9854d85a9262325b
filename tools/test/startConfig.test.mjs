import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { recordOf } from '../../dev/clusters/lib/processes.mjs';
import {
  dataPaths,
  giveDataFolderBack,
  keptEncryptionKey,
  newLog,
  takeDataFolder,
} from '../start/dataFolder.mjs';
import { generatedConfig } from '../start/generatedConfig.mjs';

const parent = mkdtempSync(join(tmpdir(), 'start-'));
after(() => rmSync(parent, { recursive: true }));

describe('generatedConfig', () => {
  const common = {
    kubeconfig: '/data/clusters/kubeconfig',
    timeScale: 0.5,
    allowExec: [],
    encryptionKey: 'key',
  };

  it('uses the least-privilege contexts of the development clusters, and waits for them', () => {
    const { multiclusterRelease } = generatedConfig({ ...common, clusters: { kind: 'dev' } });
    assert.deepEqual(multiclusterRelease, {
      kubeconfig: { path: '/data/clusters/kubeconfig', ignoreContextSuffixes: ['-admin'] },
      probe: { startGraceSeconds: 3600 },
      encryption: { keys: [{ id: 'npm-start', secret: 'key' }] },
      development: { timeScale: 0.5 },
    });
  });

  it('makes every context of a kubeconfig a cluster, and none of the samples', () => {
    const { multiclusterRelease } = generatedConfig({
      ...common,
      clusters: { kind: 'kubeconfig', file: '/home/somebody/.kube/config' },
      allowExec: ['cloud'],
    });
    assert.equal(multiclusterRelease.clusters, null);
    assert.deepEqual(multiclusterRelease.kubeconfig, { path: '/home/somebody/.kube/config' });
    assert.deepEqual(multiclusterRelease.allow, { exec: ['cloud'] });
  });

  it('has no clusters where none are wanted', () => {
    const { multiclusterRelease } = generatedConfig({ ...common, clusters: { kind: 'none' } });
    assert.equal(multiclusterRelease.clusters, null);
    assert.equal('kubeconfig' in multiclusterRelease, false);
  });
});

describe('the data folder', () => {
  it('keeps the encryption key for its user only, and never makes another', async () => {
    const folder = join(parent, 'key');
    await takeDataFolder(folder);
    const key = await keptEncryptionKey(folder);
    assert.ok(Buffer.from(key, 'base64').length >= 32);
    assert.equal(await keptEncryptionKey(folder), key);
    assert.equal(statSync(dataPaths(folder).encryptionKey).mode % 0o1000, 0o600);
    assert.equal(statSync(folder).mode % 0o1000, 0o700);
  });

  it('serves one start at a time, and knows one that was killed', async () => {
    const folder = join(parent, 'taken');
    assert.deepEqual(await takeDataFolder(folder), { endedCleanly: true });
    await assert.rejects(takeDataFolder(folder), {
      name: 'StartError',
      message: new RegExp(`used by npm start, process ${process.pid}; .*--data <folder>$`),
    });

    const other = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)']);
    writeFileSync(dataPaths(folder).user, JSON.stringify(recordOf(Number(other.pid))));
    other.kill('SIGKILL');
    await once(other, 'close');
    assert.deepEqual(await takeDataFolder(folder), { endedCleanly: false });

    await giveDataFolderBack(folder);
    assert.deepEqual(await takeDataFolder(folder), { endedCleanly: true });
  });

  it('says in one line where it cannot be', async () => {
    const file = join(parent, 'file');
    writeFileSync(file, '');
    await assert.rejects(takeDataFolder(join(file, 'below')), {
      name: 'StartError',
      message: /cannot be made \(ENOTDIR\); choose another folder with --data <folder>$/,
    });
  });

  it('begins a new log, and keeps the one before', async () => {
    const folder = join(parent, 'logs');
    await takeDataFolder(folder);
    const file = await newLog(folder, 'backend');
    writeFileSync(file, 'first');
    assert.equal(await newLog(folder, 'backend'), file);
    assert.throws(() => readFileSync(file), { code: 'ENOENT' });
    assert.equal(readFileSync(`${file}.before`, 'utf8'), 'first');
  });
});
