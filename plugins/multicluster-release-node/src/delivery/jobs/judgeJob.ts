import { counted } from 'backstage-plugin-multicluster-release-common';
import type { AnalyseData, KubernetesObject } from '../../ports';
import { conditionOf } from '../health/conditions';
import { numberAt } from '../json';
import { describeObject, idOf } from '../objectId';

export type JobVerdict = Pick<AnalyseData, 'verdict' | 'message'>;

/** What a Job says of itself, by its conditions: a count of pods is not yet an end. */
export function judgeJob(job: KubernetesObject): JobVerdict {
  const subject = describeObject(idOf(job));
  const failed = conditionOf(job, 'Failed');
  if (failed?.status === 'True') {
    const why = [failed.reason, failed.message].filter(Boolean).join(': ');
    return { verdict: 'failed', message: `${subject} has failed${why ? ` (${why})` : ''}` };
  }
  if (conditionOf(job, 'Complete')?.status === 'True') {
    return { verdict: 'passed' };
  }
  const pods = numberAt(job, 'status', 'active') ?? 0;
  const lost = numberAt(job, 'status', 'failed') ?? 0;
  const retried = lost > 0 ? `, ${lost} failed before` : '';
  return { verdict: 'running', message: `${subject} runs (${counted(pods, 'pod')}${retried})` };
}

/** One that failed decides at once; else all must have passed. */
export function judgeJobs(jobs: KubernetesObject[]): JobVerdict {
  const verdicts = jobs.map(judgeJob);
  const told = (word: JobVerdict['verdict']) =>
    verdicts.filter(({ verdict }) => verdict === word).map(({ message }) => message);
  const [failed, running] = [told('failed'), told('running')];
  if (failed.length > 0) {
    return { verdict: 'failed', message: failed.join('; ') };
  }
  return running.length > 0
    ? { verdict: 'running', message: running.join('; ') }
    : { verdict: 'passed' };
}
