import {
  WAITING_CODES,
  type Waiting,
  type WaitingCode,
} from 'backstage-plugin-multicluster-release-common';
import { createTexts, NOW } from '../testing';
import { waitingReason, waitingSentence } from './waitingText';

const AT = NOW + 5 * 60_000;

const PARAMS: Record<WaitingCode, Waiting['params']> = {
  approval: { n: 1, who: 'payments-leads' },
  metric: { metric: 'error_rate', cluster: 'eu-1', done: 4, need: 6 },
  'metric.nodata': { metric: 'error_rate', cluster: 'eu-1', time: AT },
  'metric.undecided': { metric: 'error_rate', cluster: 'eu-1', why: 'no data' },
  soak: { cluster: 'cluster-a', time: AT },
  window: { time: AT, zone: 'Asia/Shanghai' },
  freeze: { name: 'New Year', time: AT },
  stopall: { who: 'ops' },
  paused: { who: 'guest', reason: 'looking' },
  stage: { stage: 'canary', done: 1, total: 2 },
  slot: { used: 2, max: 2 },
  queue: { id: 'r-1' },
  clusters: { why: 'no answer' },
  ready: { cluster: 'cluster-a', ready: 1, total: 2, msg: 'pulling' },
  traffic: { want: 20, seen: 5 },
  unreachable: { cluster: 'cluster-a', time: AT },
  retry: { cluster: 'cluster-a', n: 2, msg: 'refused', time: AT },
  budget: { failed: 2, max: 1 },
  promote: { stage: 'production' },
  changed: { cluster: 'cluster-a', what: 'a Service goes' },
  planChanged: { what: 'two clusters more' },
  dependsOn: { service: 'config', version: '>=1.4', where: 'cluster-a' },
  cordoned: { cluster: 'cluster-a', who: 'ops' },
  standby: { cluster: 'cluster-green', what: 'no room' },
  routeEdited: { route: 'edge/checkout', who: 'ops' },
  rollbackPending: { cluster: 'cluster-a' },
  hold: { version: '2.0.0', why: 'it crashed' },
  starting: { cluster: 'cluster-a' },
  refused: { cluster: 'cluster-a', msg: 'quota' },
};

function waiting(code: WaitingCode, changes: Partial<Waiting> = {}): Waiting {
  return {
    code,
    params: PARAMS[code],
    message: 'ENGLISH OF THE SERVER',
    since: NOW - 60_000,
    until: AT,
    blocking: true,
    ...changes,
  };
}

describe.each(['en', 'zh'] as const)('waiting texts in %s', language => {
  const texts = createTexts(language);

  it.each(WAITING_CODES)('%s has a text of its own that uses every parameter', code => {
    const reason = waitingReason(waiting(code), texts, NOW);
    expect(reason).not.toContain('{{');
    expect(reason).not.toContain('ENGLISH OF THE SERVER');
    for (const value of Object.values(PARAMS[code]).filter(param => param !== AT)) {
      expect(reason).toContain(String(value));
    }
  });

  it.each(WAITING_CODES)('%s says since when, with the zone', code => {
    const sentence = waitingSentence(waiting(code), texts, NOW);
    const moment = code === 'unreachable' ? '13:07' : '13:01';
    expect(sentence).toContain(moment);
    expect(sentence).toContain('UTC');
  });
});

describe('waiting sentences', () => {
  const texts = createTexts('en');

  it.each<[name: string, cause: Waiting, sentence: string]>([
    [
      'a promotion to the stage that the server names so',
      waiting('promote', {
        until: undefined,
        params: { stage: 'promotion', stageKind: 'promotion' },
      }),
      'Waiting for someone to promote to Promotion, since 13:01 UTC',
    ],
    [
      'a promotion to a stage that a document names so',
      waiting('promote', { until: undefined, params: { stage: 'promotion' } }),
      'Waiting for someone to promote to promotion, since 13:01 UTC',
    ],
    [
      'a promotion',
      waiting('promote', { until: undefined, who: 'group:default/sre' }),
      'Waiting for someone to promote to production, since 13:01 UTC, sre can act',
    ],
    [
      'a promotion in the last stage',
      waiting('promote', { params: { stage: 'the end' }, until: undefined }),
      'Waiting for someone to finish the release, since 13:01 UTC',
    ],
    [
      'a soak',
      waiting('soak'),
      'Observing cluster-a until 13:07 UTC (5 min left), since 13:01 UTC',
    ],
    [
      'a measurement under way',
      waiting('metric', { until: undefined }),
      'Checking error_rate on eu-1: 4 of 6 readings were good, since 13:01 UTC',
    ],
    [
      'a measurement without data',
      waiting('metric.nodata'),
      'No data for error_rate on eu-1; people are asked at 13:07 UTC, since 13:01 UTC',
    ],
    [
      'a measurement that leaves it to people',
      waiting('metric.undecided', { until: undefined }),
      'error_rate on eu-1 says too little (no data): skip the gate, or roll back, since 13:01 UTC',
    ],
    [
      'a pause without a reason',
      waiting('paused', { params: { who: 'user:default/guest', reason: '' }, until: undefined }),
      'Paused by guest, since 13:01 UTC',
    ],
    [
      'pods that come up',
      waiting('ready', { params: { cluster: 'cluster-a', ready: 1, total: 2, msg: '' } }),
      '1 of 2 pods ready on cluster-a, since 13:01 UTC, gives up 13:07 UTC',
    ],
    [
      'approvals of users and groups',
      waiting('approval', {
        params: { n: 2, who: 'group:default/sre, user:default/jane', step: '1.2', required: 2 },
        who: 'group:default/sre, user:default/jane',
      }),
      'Waiting for 2 more approvals from sre and jane, since 13:01 UTC, asked anew 13:07 UTC',
    ],
    [
      'an approval that nobody is named for',
      waiting('approval', {
        params: { n: 1, who: 'whoever may approve', step: '1.2', required: 1 },
        who: 'whoever may approve',
        until: undefined,
      }),
      'Waiting for 1 more approval, since 13:01 UTC',
    ],
    [
      'an emergency stop with its reason',
      waiting('stopall', {
        params: { id: 's-1', who: 'user:default/ops', reason: 'network down', time: NOW },
        who: 'user:default/ops',
        until: undefined,
      }),
      'Emergency stop by ops since 13:02 UTC: network down',
    ],
    [
      'a cordon with its reason',
      waiting('cordoned', {
        params: { cluster: 'cluster-a', who: 'user:default/ops', reason: 'new nodes' },
        who: 'user:default/ops',
        until: undefined,
      }),
      'cluster-a is taken out by ops: new nodes, since 13:01 UTC',
    ],
    [
      'a window that cannot be read',
      waiting('freeze', {
        params: { name: 'nights', zone: 'UTC', what: 'hour is 24' },
        until: undefined,
      }),
      'The window “nights” cannot be read and counts as closed: hour is 24, since 13:01 UTC',
    ],
    [
      'a window without an end that is known',
      waiting('freeze', { params: { name: 'nights', zone: 'UTC' }, until: undefined }),
      'Closed by the window “nights”, since 13:01 UTC',
    ],
    [
      'another service',
      waiting('dependsOn', {
        params: {
          service: 'component:default/config',
          version: '>=1.4',
          cluster: 'cluster-a',
          target: 'cluster-a',
        },
        until: undefined,
      }),
      'Waiting for config >=1.4 on cluster-a, since 13:01 UTC',
    ],
    [
      'a soak that ended while the release is paused',
      waiting('soak', { until: NOW - 1_000, params: { cluster: 'cluster-a', time: NOW - 1_000 } }),
      'The observation of cluster-a was over at 13:01 UTC',
    ],
    [
      'a soak of a stage that ended while the release is paused',
      waiting('soak', { until: NOW - 1_000, params: { stage: 'canary' } }),
      'The observation of canary was over at 13:01 UTC',
    ],
    [
      'one pod',
      waiting('ready', { params: { cluster: 'cluster-a', ready: 0, total: 1, msg: '' } }),
      '0 of 1 pod ready on cluster-a, since 13:01 UTC, gives up 13:07 UTC',
    ],
    [
      'pods of which nothing is known yet',
      waiting('ready', { params: { cluster: 'cluster-b', ready: 0, total: 0, msg: '' } }),
      'cluster-b has not reported on its pods yet, since 13:01 UTC, gives up 13:07 UTC',
    ],
    [
      'pods of which only a message is known',
      waiting('ready', { params: { cluster: 'cluster-b', ready: 0, total: 0, msg: 'quota' } }),
      'cluster-b: quota, since 13:01 UTC, gives up 13:07 UTC',
    ],
    [
      'a release ahead, by the short form of its id',
      waiting('queue', {
        params: { id: '0b1c2d3e-1111-2222-3333-444455556666' },
        until: undefined,
      }),
      'Behind release 0b1c2d3e of the same service, since 13:01 UTC',
    ],
    [
      'a cause whose parameters are missing',
      waiting('budget', { params: {}, until: undefined }),
      'ENGLISH OF THE SERVER, since 13:01 UTC',
    ],
  ])('%s', (_name, cause, sentence) => {
    expect(waitingSentence(cause, texts, NOW)).toBe(sentence);
  });

  it('say once in Chinese, too, when an observation was over', () => {
    const over = waiting('soak', { until: NOW - 1_000, params: { stage: 'canary' } });
    expect(waitingSentence(over, createTexts('zh'), NOW)).toBe('canary 的观察已于 UTC 13:01 结束');
  });
});
