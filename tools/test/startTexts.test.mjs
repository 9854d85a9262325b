import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stagesOf } from '../start/runStart.mjs';
import { endText, sampleText, withoutSampleText } from '../start/texts.mjs';

const ADDRESS = 'http://localhost:4000/catalog/default/component/checkout/releases';

/** @param {string} version @param {string[]} [clusters] */
const seen = (version, clusters = ['cluster-a', 'cluster-b', 'cluster-c', 'cluster-green']) => ({
  version,
  isSeen: true,
  clusters,
});

/** @param {import('../start/firstRelease.mjs').Sample} sample @param {number} [timeScale] */
const text = (sample, timeScale = 1) => sampleText({ port: 4000, sample, timeScale }).join('\n');

describe('what is said at the end', () => {
  it('has the address of the service, and what to press', () => {
    const said = text({ running: [seen('1.0.0')] });
    assert.match(
      said,
      /^checkout 1\.0\.0 runs on cluster-a, cluster-b, cluster-c and cluster-green/,
    );
    assert.ok(said.includes(ADDRESS));
    assert.match(said, /"Enter".*"Start a release…", choose 2\.0\.0, "Preview", .*on 4 clusters"/s);
    assert.match(said, /with 20 s to look at each/);
    assert.match(said, /3\.0\.0 .*crashes/);
  });

  it('names the clusters that the backend names, and no other', () => {
    const unseen = { version: '2.0.0', isSeen: false, clusters: ['cluster-c'] };
    assert.deepEqual(
      text({ running: [seen('1.0.0', ['cluster-a', 'cluster-green']), unseen] }).split('\n', 2),
      [
        'checkout 1.0.0 runs on cluster-a and cluster-green.',
        'checkout 2.0.0 ran on cluster-c, not reached since the start.',
      ],
    );
  });

  it('does not offer the version that runs already', () => {
    assert.match(text({ running: [seen('2.0.0')] }), /choose 1\.0\.0/);
  });

  it('counts the pauses as they will be', () => {
    assert.match(text({ running: [seen('1.0.0')] }, 0.1), /with 2 s to look at each/);
  });

  it('does not say that a version runs while a release of it is under way', () => {
    const said = text({ running: [], underWay: { version: '1.0.0', state: 'Progressing' } });
    assert.match(said, /^A release of checkout 1\.0\.0 is under way\.\n/);
    assert.ok(said.includes(ADDRESS));
  });

  it('says that a release stands still, and what it waits for', () => {
    const message = 'Waiting for someone to promote to production';
    for (const [state, does] of [
      ['Waiting', 'waits'],
      ['Paused', 'is paused'],
      ['Pending', 'has not started yet'],
    ]) {
      const [line] = text({ running: [], underWay: { version: '3.0.0', state, message } }).split(
        '\n',
      );
      assert.equal(line, `A release of checkout 3.0.0 ${does}: ${message}.`);
    }
  });

  it('says why there is no sample, and what there is', () => {
    const said = withoutSampleText({ port: 4000, why: 'There are no clusters.' }).join('\n');
    assert.match(said, /^There are no clusters\./);
    assert.ok(said.includes('http://localhost:4000/multicluster-release/clusters'));
  });

  it('says where the logs are and how it ends', () => {
    assert.match(endText('/data/logs').join('\n'), /\/data\/logs\n.*Ctrl-C ends everything/);
  });
});

describe('stagesOf', () => {
  it('leaves out what has to do with our clusters where there are none', () => {
    assert.deepEqual(stagesOf({ kind: 'none' }), ['installation', 'pages', 'Backstage']);
    assert.equal(stagesOf({ kind: 'dev' }).length, 6);
  });
});
