import type { EventView } from 'backstage-plugin-multicluster-release-common';
import { exampleEvent } from '../testing';
import { rollbackReason } from './rollbackReason';

describe('rollbackReason', () => {
  it.each<[name: string, events: EventView[], reason: string | undefined]>([
    ['nothing where it was not sent back', [exampleEvent({ reason: 'looking' })], undefined],
    [
      'what the engine saw',
      [exampleEvent({ code: 'RollbackStarted', reason: 'cluster-a/production: CrashLoopBackOff' })],
      'cluster-a/production: CrashLoopBackOff',
    ],
    [
      'the newest, with people by name',
      [
        exampleEvent({ code: 'RollbackRequested', reason: 'slow' }),
        exampleEvent({ code: 'RollbackStarted', reason: 'asked for by user:default/guest' }),
        exampleEvent({ code: 'RollbackStarted', reason: undefined }),
      ],
      'asked for by guest',
    ],
  ])('is %s', (_name, events, reason) => expect(rollbackReason(events)).toBe(reason));
});
