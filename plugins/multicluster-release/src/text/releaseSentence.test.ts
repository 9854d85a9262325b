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
    [exampleFinalRelease(), 'Done: 1.0.0 runs on 3 clusters, since 12:12 UTC'],
    [
      exampleFinalRelease({
        state: 'RolledBack',
        counts: { total: 3, done: 0, running: 0, failed: 0, pending: 1, rolledBack: 2 },
      }),
      'Rolled back: 1.0.0 was taken back from 2 clusters, since 12:12 UTC',
    ],
    [
      exampleFinalRelease({
        state: 'RolledBack',
        counts: { total: 3, done: 2, running: 0, failed: 0, pending: 0, rolledBack: 1 },
      }),
      'Rolled back: 1.0.0 was taken back from 1 cluster, since 12:12 UTC',
    ],
    [
      exampleFinalRelease({
        state: 'Failed',
        counts: { total: 3, done: 2, running: 0, failed: 1, pending: 0, rolledBack: 0 },
      }),
      'Failed: 1 cluster did not come through, since 12:12 UTC',
    ],
    [
      exampleFinalRelease({
        strategy: 'Removal',
        counts: { total: 1, done: 0, running: 0, failed: 0, pending: 0, rolledBack: 1 },
      }),
      'Done: 1.0.0 was taken off 1 cluster, since 12:12 UTC',
    ],
    [
      exampleFinalRelease({ state: 'Superseded' }),
      'Superseded: a newer release took over, since 12:12 UTC',
    ],
  ])('$state: $targetVersion', (release, main) => {
    expect(releaseSentence(release, texts, NOW).main).toBe(main);
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
