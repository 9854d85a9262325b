import {
  ACTIONS,
  type ActionName,
  type ActionRequest,
} from 'backstage-plugin-multicluster-release-common';
import { createTexts } from '../../testing';
import { doneWords } from './doneWords';

const texts = createTexts('en');

describe('doneWords', () => {
  it.each<[action: ActionName, request: ActionRequest, isNew: boolean, words: string]>([
    ['approve', {}, false, 'Your approval is recorded'],
    ['promote', {}, false, 'Promoted to production'],
    ['promote', { full: true }, false, 'Promoted to the end'],
    ['rollback', {}, false, 'Rolling back'],
    [
      'rollback',
      { targets: [{ cluster: 'a', namespace: 'b' }] },
      false,
      'The chosen clusters go back',
    ],
    ['rollback', {}, true, 'Rolling back with a new release, which this page shows now'],
  ])('%s %j', (action, request, isNew, words) => {
    expect(doneWords({ action, request, isNew, nextStage: 'production' }, texts)).toBe(words);
  });

  it('says of the last promotion that the release is finished by it', () => {
    const done = { action: 'promote', request: {}, isNew: false } as const;
    expect(doneWords(done, texts)).toBe('The release is being finished');
  });

  it.each(ACTIONS)('has words for %s in both languages', action => {
    const done = { action, request: {}, isNew: false };
    expect(doneWords(done, createTexts('zh'))).toMatch(/[\u4e00-\u9fff]/);
    const words = doneWords(done, texts);
    expect(words).toMatch(/^[A-Z]/);
    expect(words).not.toContain('done.');
  });
});
