import type {
  ReleaseView,
  Waiting,
  WaitingCode,
} from 'backstage-plugin-multicluster-release-common';
import { createTexts, exampleFinalRelease, exampleRelease, NOW } from '../../testing';
import { lengthOf } from './lengthOf';

const because = (code: WaitingCode): Waiting[] => [
  { code, params: {}, message: code, since: NOW - 9_000, blocking: true },
];
const createdAt = NOW - 9_000;

const QUEUED = exampleRelease({ createdAt, state: 'Pending', waiting: because('queue') });

describe('how long a release took', () => {
  it.each<[name: string, release: ReleaseView, en: string, zh: string]>([
    ['of one in the queue', QUEUED, 'in the queue for 9 sec', '已排队 9秒'],
    [
      'of one whose turn has come, and which cannot start yet',
      exampleRelease({ createdAt, state: 'Pending', waiting: because('clusters') }),
      'in the queue for 9 sec',
      '已排队 9秒',
    ],
    [
      'of one that was paused in the queue',
      exampleRelease({
        createdAt,
        state: 'Paused',
        waiting: [...because('paused'), ...because('queue')],
      }),
      'in the queue for 9 sec',
      '已排队 9秒',
    ],
    [
      'of one that nobody has taken up yet',
      exampleRelease({ createdAt, state: 'Pending', waiting: [] }),
      'Not started',
      '未开始',
    ],
    ['of one that is under way', exampleRelease({ createdAt }), 'running for 9 sec', '已进行 9秒'],
    ['of one that has ended', exampleFinalRelease(), '10 min', '10分钟'],
  ])('%s', (_name, release, en, zh) => {
    expect(lengthOf(release, createTexts('en'), NOW)).toBe(en);
    expect(lengthOf(release, createTexts('zh'), NOW)).toBe(zh);
  });
});
