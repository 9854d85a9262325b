import type { ReleaseView, Waiting } from 'backstage-plugin-multicluster-release-common';
import {
  createTexts,
  exampleFinalRelease,
  exampleRelease,
  exampleRunning,
  exampleSummary,
  NOW,
} from '../testing';
import { idleSentence, releaseSentence } from './releaseSentence';

const texts = createTexts('en');

const NONE = { total: 0, done: 0, running: 0, failed: 0, pending: 0, rolledBack: 0 };
const REMOVAL_STAGE = { index: 0, name: 'removal', kind: 'rollback', total: 1 };

function slot(used: number, blocking: boolean = false): Waiting {
  return { code: 'slot', params: { used, max: 9 }, message: '', since: NOW, blocking };
}

describe('releaseSentence', () => {
  it('tells the blocking cause first, three at most, and counts the others', () => {
    const waiting = [slot(1), slot(2), slot(3, true), slot(4), slot(5)];
    const sentence = releaseSentence(exampleRelease({ waiting }), texts, NOW);
    expect(sentence.main).toBe('Waiting for a free slot (3 of 9 in use), since 13:02 UTC');
    expect(sentence.also).toHaveLength(2);
    expect(sentence.more).toBe(2);
  });

  it('waits for a stage without clusters without counting none', () => {
    const cause: Waiting = {
      code: 'stage',
      params: { stage: 'step 3', done: 0, total: 0 },
      message: '',
      since: NOW,
      blocking: true,
    };
    const release = exampleRelease({ waiting: [cause] });
    expect(releaseSentence(release, texts, NOW).main).toBe('Waiting for step 3, since 13:02 UTC');
  });

  it.each<[release: ReleaseView, main: string]>([
    [
      exampleRelease({ state: 'Pending', waiting: [] }),
      'Not started: the engine takes it up in a moment',
    ],
    [exampleRelease({ state: 'Progressing', waiting: [] }), 'Running: stage 1 of 2, canary'],
    [
      exampleRelease({ state: 'RollingBack', waiting: [] }),
      'Rolling back: putting clusters back to 1.0.0',
    ],
    [
      exampleRelease({ state: 'Progressing', waiting: [], stage: REMOVAL_STAGE }),
      'Running: stage 1 of 1, Removal',
    ],
    [
      exampleRelease({
        state: 'Progressing',
        waiting: [],
        stage: { ...REMOVAL_STAGE, kind: 'step' },
      }),
      'Running: stage 1 of 1, removal',
    ],
    [exampleFinalRelease(), 'Done: 1.0.0 in place on 3 clusters, ended 12:12 UTC'],
    [
      exampleFinalRelease({ counts: { ...NONE, total: 3, done: 2, rolledBack: 1 } }),
      'Done: 1.0.0 in place on 2 of 3 clusters, ended 12:12 UTC',
    ],
    [
      exampleFinalRelease({ strategy: 'Rollback', counts: { ...NONE, total: 3, done: 3 } }),
      'Done: back at 1.0.0 on 3 clusters, ended 12:12 UTC',
    ],
    [
      exampleFinalRelease({
        state: 'CompletedWithPending',
        counts: { ...NONE, total: 3, done: 2, pending: 1 },
      }),
      'Done on 2 of 3 clusters; the others were left to catch up when they return, ended 12:12 UTC',
    ],
    [
      exampleFinalRelease({
        state: 'CompletedWithPending',
        counts: { ...NONE, total: 3, done: 3 },
      }),
      'Done: 1.0.0 in place on 3 clusters, ended 12:12 UTC',
    ],
    [
      exampleFinalRelease({
        state: 'Aborted',
        counts: { ...NONE, total: 3, done: 1, pending: 2 },
      }),
      'Stopped when 1 of 3 clusters was done, ended 12:12 UTC',
    ],
    [
      exampleFinalRelease({
        state: 'Aborted',
        counts: { ...NONE, total: 3, done: 1, pending: 1, rolledBack: 1 },
      }),
      'Stopped when 1 of 3 clusters was done, 1 was put back, ended 12:12 UTC',
    ],
    [
      exampleFinalRelease({
        state: 'Aborted',
        counts: { ...NONE, total: 3, pending: 1, rolledBack: 2 },
      }),
      'Stopped before any cluster was done, 2 were put back, ended 12:12 UTC',
    ],
    [
      exampleFinalRelease({
        state: 'RolledBack',
        counts: { total: 3, done: 0, running: 0, failed: 0, pending: 1, rolledBack: 2 },
      }),
      'Rolled back: 1.0.0 was taken back from 2 clusters, ended 12:12 UTC',
    ],
    [
      exampleFinalRelease({
        state: 'RolledBack',
        counts: { total: 3, done: 2, running: 0, failed: 0, pending: 0, rolledBack: 1 },
      }),
      'Rolled back: 1.0.0 was taken back from 1 cluster, ended 12:12 UTC',
    ],
    [
      exampleFinalRelease({
        state: 'Failed',
        counts: { total: 3, done: 2, running: 0, failed: 1, pending: 0, rolledBack: 0 },
      }),
      'Failed: 1 cluster did not come through, ended 12:12 UTC',
    ],
    [
      exampleFinalRelease({
        strategy: 'Removal',
        counts: { ...NONE, total: 1, done: 1 },
      }),
      'Done: 1.0.0 was taken off 1 cluster, ended 12:12 UTC',
    ],
    [
      exampleFinalRelease({ state: 'Superseded' }),
      'Superseded: a newer release took over, ended 12:12 UTC',
    ],
  ])('$state: $targetVersion', (release, main) => {
    expect(releaseSentence(release, texts, NOW).main).toBe(main);
  });
});

describe('a release that has ended with no cluster to tell of', () => {
  it.each<[state: ReleaseView['state'], strategy: string, main: string]>([
    ['Succeeded', 'Canary', 'Done: 1.0.0'],
    ['Succeeded', 'Rollback', 'Done: rollback to 1.0.0'],
    ['Succeeded', 'Removal', 'Done: removal of 1.0.0'],
    ['RolledBack', 'Canary', 'Rolled back: 1.0.0'],
    ['Aborted', 'Canary', 'Stopped before any cluster was done'],
    ['Failed', 'Canary', 'Failed'],
  ])('%s, %s: counts none', (state, strategy, main) => {
    const release = exampleFinalRelease({ state, strategy, counts: { ...NONE, total: 3 } });
    expect(releaseSentence(release, texts, NOW).main).toBe(`${main}, ended 12:12 UTC`);
    const chinese = releaseSentence(release, createTexts('zh'), NOW).main;
    expect(chinese.replace(/1\.0\.0|12:12/g, '')).not.toMatch(/\d/);
  });
});

describe('idleSentence', () => {
  it('counts only versions that are known', () => {
    const versions = [
      exampleRunning('cluster-a'),
      exampleRunning('cluster-b'),
      exampleRunning('cluster-c', { version: undefined, clusterState: 'unreachable' }),
    ];
    expect(idleSentence(exampleSummary({ versions }), texts)).toBe(
      'No release is running; 1.0.0 runs on 2 clusters.',
    );
  });

  it('says that versions differ', () => {
    const versions = [
      exampleRunning('cluster-a'),
      exampleRunning('cluster-b', { version: '2.0.0' }),
    ];
    expect(idleSentence(exampleSummary({ versions }), texts)).toBe(
      'No release is running; 2 versions are in use.',
    );
  });
});
