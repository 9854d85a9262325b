import type { ReleaseView } from 'backstage-plugin-multicluster-release-common';
import { exampleRelease, exampleStages } from '../testing';
import { shownStageState, type ShownStageState } from './shownStageState';

const [canary, production] = exampleStages();

describe('shownStageState', () => {
  it.each<[release: ReleaseView['state'], stage: ShownStageState]>([
    ['Waiting', 'waiting'],
    ['Paused', 'paused'],
    ['Progressing', 'running'],
    ['RollingBack', 'running'],
  ])('of the stage that a release is at that is %s: %s', (state, shown) => {
    const release = exampleRelease({ state });
    expect(shownStageState({ ...canary, state: 'running' }, release)).toBe(shown);
  });

  it('leaves every other stage, and one that does not run, as it is', () => {
    const release = exampleRelease({ state: 'Paused' });
    expect(shownStageState({ ...canary, state: 'done' }, release)).toBe('done');
    expect(shownStageState({ ...production, state: 'running' }, release)).toBe('running');
    expect(shownStageState({ ...production, state: 'pending' }, release)).toBe('pending');
  });
});
