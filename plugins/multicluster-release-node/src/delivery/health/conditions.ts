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
  const time = timeOf(condition);
  return Number.isFinite(time) && time > Math.floor(writtenAt / SECOND) * SECOND;
}

function timeOf({ lastUpdateTime, lastTransitionTime }: Condition): number {
  return Date.parse(lastUpdateTime ?? lastTransitionTime ?? '');
}

/** Since when it is as it is; epoch milliseconds. One that does not say began long ago. */
export function changedAt({ lastTransitionTime, lastUpdateTime }: Condition): number {
  const time = Date.parse(lastTransitionTime ?? lastUpdateTime ?? '');
  return Number.isFinite(time) ? time : 0;
}
