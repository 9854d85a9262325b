import { currentStep, type Turn } from './turn';
import type { TargetRun } from './types';

/** Names the Jobs of the step that the target is at, for its current attempt. */
export function jobsOf({ run }: Turn, target: TargetRun): string {
  return `${target.plan}/${currentStep(run, target)?.id}/${target.tries ?? 0}`;
}
