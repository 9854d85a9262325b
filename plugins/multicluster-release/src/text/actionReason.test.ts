import {
  ACTION_REASONS,
  type ActionState,
  type ReleaseView,
} from 'backstage-plugin-multicluster-release-common';
import { createTexts, exampleActions, exampleFinalRelease, exampleRelease } from '../testing';
import { actionReason } from './actionReason';

function denied(reasonCode: string, params?: ActionState['params']): ActionState {
  return { allowed: false, reasonCode, params, message: 'ENGLISH OF THE SERVER' };
}

describe('actionReason', () => {
  it.each<[name: string, action: ActionState, release: ReleaseView, reason: string]>([
    [
      'nothing to go back to after the first release of a service',
      denied('NothingToRollBack'),
      exampleFinalRelease({ fromVersions: [] }),
      'it was the first release here, so there is no earlier version to go back to',
    ],
    [
      'nothing to go back to after a release that left nothing',
      denied('NothingToRollBack'),
      exampleFinalRelease({ fromVersions: ['1.0.0'] }),
      'it has left nothing on any cluster that could be put back',
    ],
    [
      'nothing to go back to after it went back',
      denied('NothingToRollBack'),
      exampleFinalRelease({ fromVersions: ['1.0.0'], state: 'RolledBack' }),
      'it has been rolled back',
    ],
    [
      'sent back already, by the short form of an id',
      denied('RolledBackAlready', { id: '0b1c2d3e-1111-2222-3333-444455556666' }),
      exampleFinalRelease(),
      'release 0b1c2d3e has rolled it back',
    ],
    [
      'going back',
      denied('RollingBack'),
      exampleRelease({ state: 'RollingBack' }),
      'the release is being rolled back',
    ],
    [
      'ended between two readings of the server',
      denied('Final'),
      exampleRelease({ state: 'RollingBack' }),
      'the release is being rolled back',
    ],
    [
      'observed, and nobody may skip that',
      denied('Observing', { stage: 'canary' }),
      exampleRelease({ actions: exampleActions([]) }),
      'the observation time still runs',
    ],
    [
      'observed, with the way on',
      denied('Observing', { stage: 'canary' }),
      exampleRelease({ actions: exampleActions(['skip-wait']) }),
      'the observation time still runs; to go on now, choose “Skip the wait” under “More”',
    ],
    ['unknown words', denied('SomethingNew'), exampleRelease(), 'ENGLISH OF THE SERVER'],
  ])('%s', (_name, action, release, reason) => {
    expect(actionReason(action, release, createTexts('en'))).toBe(reason);
  });

  const PARAMS = { permission: 'p', id: 'r-1', who: 'user:default/ann', stage: 'canary' };

  it.each(ACTION_REASONS.flatMap(code => [[code, 'en'] as const, [code, 'zh'] as const]))(
    '%s has a text in %s',
    (code, language) => {
      const reason = actionReason(denied(code, PARAMS), exampleRelease(), createTexts(language));
      expect(reason).not.toMatch(/ENGLISH OF THE SERVER|\{\{/);
      expect(/[\u4e00-\u9fff]/.test(reason)).toBe(language === 'zh');
    },
  );
});
