import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { dataPaths, makeFolder } from '../lib/dataFolder.mjs';
import { placeLogs } from '../lib/logs.mjs';
import { removeFolder, temporaryFolder } from './support.mjs';

/** Not undefined: then the environment says where, and does so in the run of all tests. */
const NOWHERE = '';

/** @param {string} folder */
function writeLog(folder) {
  const file = dataPaths(folder).log('one', 'kwok');
  makeFolder(path.dirname(file));
  fs.writeFileSync(file, 'a line');
}

describe('the logs of a data folder', () => {
  it('outlive it where there is a place for them', test => {
    const elsewhere = path.join(temporaryFolder(test), 'kept');
    const data = path.join(temporaryFolder(test), 'suite');
    placeLogs(data, elsewhere);
    placeLogs(data, elsewhere);
    writeLog(data);
    fs.writeFileSync(path.join(data, 'state.json'), '{"token":"secret"}');
    removeFolder(data);

    const kept = fs.readdirSync(elsewhere);
    assert.equal(kept.length, 1);
    assert.match(kept[0], /^suite-/);
    const files = fs.readdirSync(path.join(elsewhere, kept[0]), { recursive: true });
    assert.deepEqual(files.sort(), ['one', path.join('one', 'kwok.log')]);
  });

  for (const { name, isKept } of [
    { name: 'get another place where theirs has been removed', isKept: true },
    {
      name: 'stay in it where their place has been removed, and there is none any more',
      isKept: false,
    },
  ]) {
    it(name, test => {
      const elsewhere = path.join(temporaryFolder(test), 'kept');
      const data = path.join(temporaryFolder(test), 'suite');
      placeLogs(data, elsewhere);
      removeFolder(elsewhere);

      placeLogs(data, isKept ? elsewhere : NOWHERE);
      writeLog(data);
      assert.equal(fs.lstatSync(dataPaths(data).logs).isSymbolicLink(), isKept);
      assert.equal(fs.existsSync(elsewhere), isKept);
      assert.equal(fs.existsSync(dataPaths(data).log('one', 'kwok')), true);
    });
  }

  it('stay in it otherwise', test => {
    const data = temporaryFolder(test);
    placeLogs(data, NOWHERE);
    writeLog(data);
    assert.equal(fs.lstatSync(dataPaths(data).logs).isDirectory(), true);
  });
});
