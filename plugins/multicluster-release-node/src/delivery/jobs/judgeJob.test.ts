import type { KubernetesObject } from '../../ports';
import { judgeJob, judgeJobs } from './judgeJob';

function job(conditions: object[], counts: object = {}, name = 'smoke-1-0'): KubernetesObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace: 'shop' },
    status: { conditions, ...counts },
  };
}
const complete = { type: 'Complete', status: 'True' };
const failed = {
  type: 'Failed',
  status: 'True',
  reason: 'DeadlineExceeded',
  message: 'Job was active longer than specified deadline',
};

describe('judgeJob', () => {
  it.each([
    ['nothing yet', job([]), 'running', 'Job/shop/smoke-1-0 runs (0 pods)'],
    [
      'pods at work',
      job([], { active: 2, failed: 1 }),
      'running',
      'Job/shop/smoke-1-0 runs (2 pods, 1 failed before)',
    ],
    [
      'succeeded pods without the condition',
      job([], { succeeded: 1 }),
      'running',
      expect.any(String),
    ],
    ['complete', job([complete]), 'passed', undefined],
    [
      'a condition that does not hold',
      job([{ ...complete, status: 'False' }]),
      'running',
      expect.any(String),
    ],
    [
      'its criteria are met, and pods still end',
      job([{ type: 'SuccessCriteriaMet', status: 'True' }], { active: 1 }),
      'running',
      expect.any(String),
    ],
    [
      'past its deadline',
      job([failed]),
      'failed',
      'Job/shop/smoke-1-0 has failed (DeadlineExceeded: Job was active longer than specified deadline)',
    ],
    [
      'failed without a word',
      job([{ type: 'Failed', status: 'True' }]),
      'failed',
      'Job/shop/smoke-1-0 has failed',
    ],
  ])('%s', (_name, live, verdict, message) => {
    expect(judgeJob(live)).toEqual({ verdict, ...(message === undefined ? {} : { message }) });
  });

  it.each([
    ['none', [], 'passed'],
    ['all complete', [job([complete]), job([complete])], 'passed'],
    ['one at work', [job([complete]), job([])], 'running'],
    ['one failed, one at work', [job([]), job([failed])], 'failed'],
  ])('of several: %s', (_name, jobs, verdict) => {
    expect(judgeJobs(jobs).verdict).toBe(verdict);
  });
});
