import type { EventView } from '../api/types';
import { retell } from './retell';

let id = 0;
function event(code: string, more: Partial<EventView> = {}): EventView {
  id += 1;
  return {
    id,
    at: 1_000 * id,
    kind: 'release',
    code,
    params: {},
    message: code,
    actor: 'system',
    ...more,
  };
}

const at = (cluster: string, state: string, code = 'TargetState') =>
  event(code, { cluster, namespace: 'production', params: { state } });

it('retells versions, stages, targets, orders and the end, in their order', () => {
  const events = [
    event('ReleaseCreated', { params: { version: '2.0.0' }, actor: 'user:default/ann' }),
    event('ReleaseStarted'),
    event('StageStarted', { stage: 0, params: { stage: 'canary' } }),
    at('a', 'Applying', 'TargetStarted'),
    at('a', 'Verifying'),
    at('a', 'Verifying', 'TargetHealthy'),
    event('Paused', { actor: 'user:default/bob', reason: 'lunch' }),
    at('a', 'Done', 'TargetDone'),
    event('StageFinished', { stage: 0, params: { stage: 'canary' } }),
    event('ReleaseSucceeded'),
  ];
  const told = retell(events);
  expect(told.version).toBe('2.0.0');
  expect(told.ended).toEqual({ state: 'Succeeded', since: events[9].at });
  expect(told.stages).toEqual([
    { index: 0, name: 'canary', startedAt: events[2].at, finishedAt: events[8].at },
  ]);
  expect(told.targets['a/production'].map(({ state }) => state)).toEqual([
    'Applying',
    'Verifying',
    'Done',
  ]);
  expect(told.orders).toMatchObject([
    { code: 'ReleaseCreated', by: 'user:default/ann' },
    { code: 'Paused', by: 'user:default/bob', reason: 'lunch' },
  ]);
});

it('knows no end of a release that is under way', () => {
  expect(retell([event('ReleaseStarted')]).ended).toBeUndefined();
});
