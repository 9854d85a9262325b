import type {
  RunningVersion,
  ServiceSummary,
  TargetView,
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
      [exampleTarget('cluster-a', { state: 'RolledBack' })],
      now([running('cluster-a', '3.0.0')]),
      'Since then 1 of these clusters has changed: 3.0.0 is now on cluster-a.',
    ],
    [
      'nothing where it went back and stayed',
      [exampleTarget('cluster-a', { state: 'RolledBack' })],
      now([running('cluster-a', '1.0.0')]),
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
