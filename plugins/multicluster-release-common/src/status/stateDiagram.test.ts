import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { statesPage } from './stateDiagram';
import { RELEASE_STATES, TARGET_STATES } from './states';
import { RELEASE_TRANSITIONS, TARGET_TRANSITIONS } from './transitions';

const PAGE = resolve(__dirname, '../../../../docs/states.md');

describe('the table of transitions', () => {
  it('is what docs/states.md shows', () => {
    if (process.env.UPDATE_DOCS) {
      writeFileSync(PAGE, statesPage());
    }
    expect(readFileSync(PAGE, 'utf8')).toBe(statesPage());
  });

  it('lets no final release go on', () => {
    for (const [state, { final }] of Object.entries(RELEASE_STATES)) {
      expect([state, RELEASE_TRANSITIONS[state as 'Pending'].length === 0]).toEqual([state, final]);
    }
  });

  it.each([
    ['releases', RELEASE_TRANSITIONS],
    ['targets', TARGET_TRANSITIONS],
  ])(
    'reaches every state of %s from Pending',
    (_name, transitions: Record<string, readonly string[]>) => {
      const reached = new Set(['Pending']);
      for (const state of reached) {
        transitions[state].forEach(next => reached.add(next));
      }
      const known = _name === 'releases' ? RELEASE_STATES : TARGET_STATES;
      expect([...reached].sort()).toEqual(Object.keys(known).sort());
    },
  );
});
