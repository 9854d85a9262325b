import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { execNotes, readContexts } from '../start/execContexts.mjs';

const folder = mkdtempSync(join(tmpdir(), 'contexts-'));
after(() => rmSync(folder, { recursive: true }));

/** @param {string} name @param {string} content */
function write(name, content) {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

const KUBECONFIG = `
contexts:
  - {name: plain, context: {cluster: c, user: token}}
  - {name: cloud, context: {cluster: c, user: login}}
users:
  - {name: token, user: {token: secret}}
  - {name: login, user: {exec: {command: cloud-login}}}
`;

describe('contexts of a kubeconfig', () => {
  it('that need a program are named with the way out', async () => {
    const contexts = await readContexts(write('config', KUBECONFIG));
    assert.deepEqual(contexts, [
      { name: 'plain', program: undefined },
      { name: 'cloud', program: 'cloud-login' },
    ]);
    assert.deepEqual(execNotes(contexts, []), [
      'Context cloud is left out: it runs the program cloud-login for its credentials. Let it with --allow-exec cloud',
    ]);
    assert.deepEqual(execNotes(contexts, ['cloud']), []);
  });

  it('have to be there to be allowed', async () => {
    const contexts = await readContexts(write('config', KUBECONFIG));
    assert.throws(() => execNotes(contexts, ['clould']), {
      name: 'StartError',
      message: '--allow-exec clould: no such context; the file has plain, cloud',
    });
  });

  /** @type {[string, () => string, RegExp][]} */
  const wrong = [
    ['a file that is not there', () => join(folder, 'none'), /cannot be read \(ENOENT\)/],
    ['no YAML', () => write('bad', 'token: {secret'), /holds no context; is it a kubeconfig\?$/],
    ['no kubeconfig', () => write('other', 'a: 1'), /holds no context; is it a kubeconfig\?$/],
  ];
  for (const [name, file, message] of wrong) {
    it(`refuse ${name}, and repeat nothing of it`, async () => {
      await assert.rejects(readContexts(file()), error => {
        assert.equal(error.name, 'StartError');
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /secret/);
        return true;
      });
    });
  }
});
