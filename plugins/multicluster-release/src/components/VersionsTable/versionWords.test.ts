import type { RunningVersion } from 'backstage-plugin-multicluster-release-common';
import { createTexts, exampleRunning } from '../../testing';
import { versionWords, type VersionWords } from './versionWords';

const texts = createTexts('en');

describe('versionWords', () => {
  it.each<[name: string, changes: Partial<RunningVersion>, words: VersionWords]>([
    ['a version', {}, { words: '1.0.0', detail: undefined }],
    [
      'a version that lags',
      { configVersion: '1.4.0', offset: 2 },
      { words: '1.0.0', detail: 'Template 1.4.0 · 2 releases behind' },
    ],
    [
      'a cluster that does not answer, with what it last ran',
      { clusterState: 'unreachable', message: 'connection refused' },
      { status: 'unknown', words: 'Unknown', detail: 'connection refused (1.0.0?)' },
    ],
    [
      'a cluster that does not answer and never did',
      { clusterState: 'timeout', version: undefined },
      { status: 'unknown', words: 'Unknown', detail: 'No answer in time' },
    ],
    [
      'a cluster that starts',
      { clusterState: 'starting', version: undefined },
      { status: 'running', words: 'Starting', detail: undefined },
    ],
    [
      'what was live before adoption',
      { version: 'before adoption' },
      { words: 'what ran before the first release', detail: undefined },
    ],
    [
      'what was live before adoption, on a cluster that does not answer',
      { version: 'before adoption', clusterState: 'timeout' },
      {
        status: 'unknown',
        words: 'Unknown',
        detail: 'No answer in time (what ran before the first release?)',
      },
    ],
    [
      'nothing released there',
      { version: undefined },
      { words: 'nothing released here yet', detail: undefined },
    ],
  ])('%s', (_name, changes, words) => {
    expect(versionWords(exampleRunning('cluster-a', changes), texts)).toEqual(words);
  });
});
