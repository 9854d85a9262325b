import type {
  RunningVersion,
  ServiceSummary,
  TargetView,
  VersionRef,
} from 'backstage-plugin-multicluster-release-common';
import {
  createTexts,
  exampleFinalRelease,
  exampleRelease,
  exampleRunning,
  exampleSummary,
  exampleTarget,
} from '../testing';
import { sinceThen } from './sinceThen';

const texts = createTexts('en');
const release = exampleFinalRelease({ targetVersion: '2.0.0', fromVersions: ['1.0.0'] });
const later = exampleFinalRelease({ id: 'r-9', createdAt: release.createdAt + 1 });
const NAMES = ['cluster-a', 'cluster-b', 'cluster-c'];
const done = (...names: string[]) => names.map(name => exampleTarget(name, { state: 'Done' }));
const ONE: VersionRef = { version: '1.0.0', digest: 'sha256:1' };
/** The rollback plan says what is put there. */
const back = (name: string, to?: VersionRef) => exampleTarget(name, { state: 'RolledBack', to });
const never = (name: string) =>
  exampleTarget(name, { state: 'Unchanged', weight: { wanted: 0, observed: 0 } });
const now = (versions: RunningVersion[], changes: Partial<ServiceSummary> = {}) =>
  exampleSummary({ versions, lastRelease: later, ...changes });
const running = (name: string, version?: string) => exampleRunning(name, { version });

describe('sinceThen', () => {
  it.each<[name: string, targets: TargetView[], summary: ServiceSummary, words?: string]>([
    [
      'nothing where everything is as it left it',
      done(...NAMES),
      now(NAMES.map(name => running(name, '2.0.0'))),
      undefined,
    ],
    [
      'which one has gone back',
      done(...NAMES),
      now([
        running('cluster-a', '2.0.0'),
        running('cluster-b', '1.0.0'),
        running('cluster-c', '2.0.0'),
      ]),
      'Since then 1 of these clusters has changed: 1.0.0 is now on cluster-b.',
    ],
    [
      'which have gone on, and which have nothing any more',
      done(...NAMES),
      now([running('cluster-a', '3.0.0'), running('cluster-b', '3.0.0')]),
      'Since then 3 of these clusters have changed: 3.0.0 is now on cluster-a and cluster-b and nothing released is now on cluster-c.',
    ],
    [
      'five names, and how many more',
      done('a', 'b', 'c', 'd', 'e', 'f', 'g'),
      now([]),
      'Since then 7 of these clusters have changed: nothing released is now on a, b, c, d, e +2.',
    ],
    [
      'nothing of a cluster that does not answer',
      done('cluster-a'),
      now([exampleRunning('cluster-a', { version: '1.0.0', clusterState: 'unreachable' })]),
      undefined,
    ],
    [
      'what has come where it went back',
      [back('cluster-a', ONE)],
      now([running('cluster-a', '3.0.0')]),
      'Since then 1 of these clusters has changed: 3.0.0 is now on cluster-a.',
    ],
    [
      'nothing where it went back and stayed',
      [back('cluster-a', ONE)],
      now([running('cluster-a', '1.0.0')]),
      undefined,
    ],
    [
      'nothing where it went back to a version of choice and stayed',
      [back('cluster-a', { version: '0.5.0', digest: 'sha256:0' })],
      now([running('cluster-a', '0.5.0')]),
      undefined,
    ],
    [
      'what came after it went back to a version of choice',
      [back('cluster-a', { version: '0.5.0', digest: 'sha256:0' })],
      now([running('cluster-a', '1.0.0')]),
      'Since then 1 of these clusters has changed: 1.0.0 is now on cluster-a.',
    ],
    [
      'nothing where it put back what was live before adoption',
      [back('cluster-a', { version: 'before adoption', digest: 'sha256:0' })],
      now([running('cluster-a', 'before adoption')]),
      undefined,
    ],
    [
      'nothing where it took away all that it had brought',
      [back('cluster-a', undefined)],
      now([]),
      undefined,
    ],
    [
      'nothing of the clusters where it never came before it went back',
      [back('cluster-a', ONE), never('cluster-b')],
      now([running('cluster-a', '1.0.0'), running('cluster-b', '1.0.0')]),
      undefined,
    ],
    [
      'what came there after it went back',
      [back('cluster-a', ONE), never('cluster-b')],
      now([running('cluster-a', '1.0.0'), running('cluster-b', '2.0.0')]),
      'Since then 1 of these clusters has changed: 2.0.0 is now on cluster-b.',
    ],
    [
      'that only what was live before adoption is there, by its name for people',
      done('cluster-a'),
      now([running('cluster-a', 'before adoption')]),
      'Since then 1 of these clusters has changed: nothing released is now on cluster-a.',
    ],
    [
      'nothing where its version was there before, under another name too',
      [
        exampleTarget('cluster-a', {
          state: 'Unchanged',
          to: { version: '2.0.0', digest: 'sha256:1' },
          weight: { wanted: 100, observed: 100 },
        }),
      ],
      now([running('cluster-a', '2.0.0')]),
      undefined,
    ],
    [
      'nothing of clusters that it was not done with',
      [exampleTarget('cluster-a', { state: 'Skipped' })],
      now([running('cluster-a', '1.0.0')]),
      undefined,
    ],
    [
      'nothing by a record that was read before it ended',
      done('cluster-a'),
      now([running('cluster-a', '1.0.0')], {
        lastRelease: { ...release, state: 'Progressing', finishedAt: undefined },
      }),
      undefined,
    ],
    [
      'nothing by a record that does not know of it yet',
      done('cluster-a'),
      now([running('cluster-a', '1.0.0')], {
        lastRelease: { ...later, createdAt: release.createdAt - 1 },
      }),
      undefined,
    ],
  ])('tells %s', (_name, targets, summary, words) => {
    expect(sinceThen(release, targets, summary, texts)).toBe(words);
  });

  it('tells nothing of a release that is under way', () => {
    const summary = now([running('cluster-a', '1.0.0')]);
    expect(sinceThen(exampleRelease(), done('cluster-a'), summary, texts)).toBeUndefined();
  });
});
