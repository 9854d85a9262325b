import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { helpText, readFlags } from '../start/flags.mjs';

const places = { root: '/repository', workingFolder: '/home/somebody' };

/** @param {string[]} given */
const read = (...given) => readFlags(given, places);

describe('readFlags', () => {
  it('has a default for each', () => {
    assert.deepEqual(read(), {
      port: 3000,
      backendPort: 7007,
      data: '/repository/.data',
      timeScale: 1,
      clusters: { kind: 'dev' },
      allowExec: [],
      help: false,
    });
  });

  it('takes each, and relative paths from where npm was called', () => {
    const flags = read(
      ...['--port', '4000', '--backend-port=4001', '--data', 'here', '--time-scale', '0.1'],
      ...['--clusters', 'kubeconfig:.kube/config', '--allow-exec', 'a', '--allow-exec', 'b'],
    );
    assert.deepEqual(flags, {
      port: 4000,
      backendPort: 4001,
      data: '/home/somebody/here',
      timeScale: 0.1,
      clusters: { kind: 'kubeconfig', file: '/home/somebody/.kube/config' },
      allowExec: ['a', 'b'],
      help: false,
    });
    assert.deepEqual(read('--clusters', 'none').clusters, { kind: 'none' });
  });

  /** @type {[string, string[], RegExp][]} */
  const wrong = [
    ['a flag that is not there', ['--prot', '1'], /--prot.*--help lists the flags$/],
    ['a word too many', ['now'], /now.*--help lists the flags$/],
    ['a flag without its value', ['--port'], /--port.*--help lists the flags$/],
    ['no number', ['--port', 'x'], /^--port x: .*1 to 65535$/],
    ['no port', ['--backend-port', '70000'], /^--backend-port 70000: /],
    ['the same port twice', ['--port', '7007'], /are both 7007; give them different/],
    ['time that stands still', ['--time-scale', '0'], /^--time-scale 0: give a number above 0/],
    ['time as words', ['--time-scale', 'fast'], /^--time-scale fast: /],
    ['clusters from nowhere', ['--clusters', 'cloud'], /^--clusters cloud: give dev, kubeconfig:/],
    ['a kubeconfig without a file', ['--clusters', 'kubeconfig:'], /give dev, kubeconfig:<file>/],
    ['exec without a kubeconfig', ['--allow-exec', 'a'], /add --clusters kubeconfig:<file>$/],
  ];
  for (const [name, given, message] of wrong) {
    it(`refuses ${name} in one line`, () => {
      assert.throws(() => read(...given), { name: 'StartError', message });
      assert.throws(() => read(...given), { message: /^[^\n]*$/ });
    });
  }
});

describe('helpText', () => {
  it('names every flag, with its default', () => {
    const text = helpText();
    for (const [flag, byDefault] of [
      ['--port <number>', '3000'],
      ['--backend-port <number>', '7007'],
      ['--data <folder>', '.data'],
      ['--time-scale <number>', '1'],
      ['--clusters <which>', 'dev'],
      ['--allow-exec <context>', 'none'],
    ]) {
      const line = text.split('\n').find(each => each.includes(flag));
      assert.ok(line?.endsWith(`(${byDefault})`), `${flag}: ${line}`);
    }
  });
});
