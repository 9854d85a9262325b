import type {
  ReleaseView,
  Waiting,
  WaitingCode,
} from 'backstage-plugin-multicluster-release-common';
import { exampleRelease, exampleStages, NOW } from '../testing';
import { shownStageState, shownState } from './shownState';

function waitingFor(...codes: WaitingCode[]): Waiting[] {
  return codes.map((code, position) => ({
    ...{ code, params: {}, message: '', since: NOW },
    blocking: position === 0,
  }));
}

describe('shownState', () => {
  it.each<[codes: WaitingCode[], shown: ReleaseView['state'], stage: string]>([
    [['stopall'], 'Waiting', 'waiting'],
    [['stopall', 'ready'], 'Waiting', 'waiting'],
    [['approval'], 'Waiting', 'waiting'],
    [['soak'], 'Waiting', 'waiting'],
    [['soak', 'soak'], 'Waiting', 'waiting'],
    [['window'], 'Waiting', 'waiting'],
    [['retry'], 'Waiting', 'waiting'],
    [['soak', 'ready'], 'Progressing', 'running'],
    [['unreachable', 'ready'], 'Progressing', 'running'],
    [['ready'], 'Progressing', 'running'],
    [['metric'], 'Progressing', 'running'],
    [['metric.nodata'], 'Progressing', 'running'],
    [['metric.undecided'], 'Waiting', 'waiting'],
    [['metric.undecided', 'metric', 'soak'], 'Waiting', 'waiting'],
    [['stage'], 'Progressing', 'running'],
    [[], 'Progressing', 'running'],
  ])('of a release under way with %j is %s', (codes, shown, stage) => {
    const release = exampleRelease({ state: 'Progressing', waiting: waitingFor(...codes) });
    expect(shownState(release)).toBe(shown);
    const [canary, production] = exampleStages();
    expect(shownStageState({ ...canary, state: 'running' }, release)).toBe(stage);
    expect(shownStageState({ ...production, state: 'pending' }, release)).toBe('pending');
  });

  it.each<ReleaseView['state']>(['Paused', 'RollingBack', 'Succeeded', 'Pending'])(
    'leaves %s as it is',
    state => {
      expect(shownState(exampleRelease({ state, waiting: waitingFor('stopall') }))).toBe(state);
    },
  );

  it('says of the stage of a paused release that it is paused, and of no other', () => {
    const release = exampleRelease({ state: 'Paused', waiting: waitingFor('paused', 'ready') });
    const [canary, production] = exampleStages();
    expect(shownStageState({ ...canary, state: 'running' }, release)).toBe('paused');
    expect(shownStageState({ ...canary, state: 'done' }, release)).toBe('done');
    expect(shownStageState({ ...production, state: 'running' }, release)).toBe('running');
  });
});
