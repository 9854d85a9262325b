import type { ReleaseView } from 'backstage-plugin-multicluster-release-common';
import { exampleActions, exampleFinalRelease } from '../../testing';
import { rollbackOf, type Rollback } from './rollbackOf';

const first = exampleFinalRelease({ id: 'r-1', targetVersion: '1.0.0' });
const second = exampleFinalRelease({ id: 'r-2', targetVersion: '2.0.0', fromVersions: ['1.0.0'] });
const crashed = exampleFinalRelease({
  id: 'r-3',
  targetVersion: '3.0.0',
  state: 'RolledBack',
  actions: exampleActions([], { allowed: false, reasonCode: 'NothingToRollBack' }),
});
const running = exampleFinalRelease({ id: 'r-4', state: 'Progressing', finishedAt: undefined });

describe('rollbackOf', () => {
  it.each<
    [name: string, release: ReleaseView, releases: ReleaseView[], offer: Rollback | undefined]
  >([
    ['the newest undoes itself', second, [second, first], { releaseId: 'r-2' }],
    [
      'an earlier one leads back to its version',
      first,
      [second, first],
      { releaseId: 'r-2', toVersion: '1.0.0' },
    ],
    [
      'so it does after a newer one was rolled back',
      first,
      [crashed, second, first],
      { releaseId: 'r-2', toVersion: '1.0.0' },
    ],
    [
      'what runs can be undone after a newer one was rolled back',
      second,
      [crashed, second, first],
      { releaseId: 'r-2' },
    ],
    ['what was rolled back has nothing to undo', crashed, [crashed, second, first], undefined],
    [
      'a version that never arrived is no way back',
      { ...first, state: 'Failed' },
      [second, { ...first, state: 'Failed' }],
      undefined,
    ],
    [
      'what was taken off a cluster is no version to go back to',
      { ...first, strategy: 'Removal' },
      [second, { ...first, strategy: 'Removal' }],
      undefined,
    ],
    ['nothing while a release runs', first, [running, second, first], undefined],
  ])('%s', (_name, release, releases, offer) => {
    expect(rollbackOf(release, releases)).toEqual(offer);
  });
});
