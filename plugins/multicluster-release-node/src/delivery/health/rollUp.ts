import type { HealthState, TargetHealth } from 'backstage-plugin-multicluster-release-common';
import type { ObjectId } from '../../ports';
import { describeObject } from '../objectId';
import type { Verdict } from './types';

/** Worst first. What is failing is said before what is not known. */
const RANK: Record<HealthState, number> = {
  Failed: 0,
  Unknown: 1,
  Progressing: 2,
  Healthy: 3,
};

/**
 * One health for a whole target: the worst of its objects, named, and the sum of
 * its pods. No object at all is `Unknown`, never success (C01).
 */
export function rollUp(assessed: { id: ObjectId; verdict: Verdict }[]): TargetHealth {
  const [worst] = [...assessed].sort((a, b) => RANK[a.verdict.state] - RANK[b.verdict.state]);
  if (!worst) {
    return {
      state: 'Unknown',
      reason: 'NothingExpected',
      message: 'nothing is expected here',
    };
  }
  const { state, reason, message } = worst.verdict;
  const counted = assessed.map(({ verdict }) => verdict).filter(({ total }) => total !== undefined);
  return {
    state,
    ...(state !== 'Healthy' && {
      reason,
      message: `${describeObject(worst.id)}: ${message ?? reason ?? state}`,
    }),
    ...(counted.length > 0 && {
      ready: counted.reduce((sum, { ready = 0 }) => sum + ready, 0),
      total: counted.reduce((sum, { total = 0 }) => sum + total, 0),
    }),
  };
}
