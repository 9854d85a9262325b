import type { KubernetesObject } from '../../ports';
import { isRecord, listAt } from '../json';

export interface Condition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastUpdateTime?: string;
  lastTransitionTime?: string;
  observedGeneration?: number;
}

export function conditionsOf(object: KubernetesObject): Condition[] {
  return listAt(object, 'status', 'conditions').filter(
    (condition): condition is Condition & Record<string, unknown> =>
      isRecord(condition) &&
      typeof condition.type === 'string' &&
      typeof condition.status === 'string',
  );
}

export function conditionOf(object: KubernetesObject, type: string): Condition | undefined {
  return conditionsOf(object).find(condition => condition.type === type);
}

const SECOND = 1_000;

/**
 * True where the condition was set after our write. Clusters tell time in whole
 * seconds, so one of the same second may be older and does not count: it must
 * never start a rollback (C04).
 */
export function isNewer(condition: Condition, writtenAt: number | undefined): boolean {
  if (writtenAt === undefined) {
    return true;
  }
  const time = Date.parse(condition.lastUpdateTime ?? condition.lastTransitionTime ?? '');
  return Number.isFinite(time) && time > Math.floor(writtenAt / SECOND) * SECOND;
}
