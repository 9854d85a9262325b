import type {
  ApprovalSpec,
  BatchesSpec,
  CanaryStepSpec,
  Pause,
  StrategySpec,
} from '../../plan/spec';
import type { MetricRule } from '../../plan/metrics';
import type { FailureCause } from '../../plan/types';
import { countOfAccepted, parseShare } from '../primitives/count';
import { millisecondsOf } from '../primitives/duration';
import type { Canary, CanaryStep } from '../release/canary';
import type { RollingUpdate } from '../release/rollingUpdate';
import type { Strategy } from '../release/strategy';

const DEFAULT_ROLLBACK_ON: FailureCause[] = ['HealthFailed', 'MetricFailed', 'Timeout'];

/** The measurements that a step of a canary names, by its index. */
export type MetricsOfStep = (step: CanaryStep, index: number) => MetricRule[];

/** Undefined for a strategy that this version cannot execute; `notBuiltYet` has said so before. */
export function resolveStrategy(
  { type, canary, rollingUpdate }: Strategy,
  metricsOf: MetricsOfStep,
): StrategySpec | undefined {
  if (type === 'Canary' && canary) {
    return { type, steps: canarySteps(canary, metricsOf) };
  }
  return type === 'RollingUpdate' && rollingUpdate
    ? resolveRollingUpdate(rollingUpdate)
    : undefined;
}

export function resolveRollbackOn({ rollback }: Strategy): FailureCause[] {
  return rollback?.on ?? DEFAULT_ROLLBACK_ON;
}

/** The founding form: step i is for cluster i; steps beyond the clusters watch all of them. */
function canarySteps({ clusters, steps }: Canary, metricsOf: MetricsOfStep): CanaryStepSpec[] {
  return steps.map((step, index) => {
    const metrics = metricsOf(step, index);
    const founding = clusters?.[index];
    return {
      ...(founding ? { clusters: [founding.name] } : chosenBy(step)),
      ...resolveWeight(step, founding),
      ...(step.pause === undefined ? {} : { pause: resolvePause(step.pause) }),
      ...gatesOf(step),
      ...(metrics.length === 0 ? {} : { metrics }),
    };
  });
}

/** 100 of clusters that the step names is what it would be without; of all earlier ones it is not. */
function resolveWeight(
  step: CanaryStep,
  founding: { weight?: number } | undefined,
): Pick<CanaryStepSpec, 'weight'> {
  const percent = founding?.weight ?? step.weight;
  const named = founding !== undefined || Object.keys(chosenBy(step)).length > 0;
  return percent === undefined || (percent === 100 && named)
    ? {}
    : { weight: { percent, approximate: step.approximate === true } };
}

function gatesOf({ stabilize, jobs = [], approval }: CanaryStep): Partial<CanaryStepSpec> {
  return {
    ...(stabilize === undefined ? {} : { stabilizeMilliseconds: millisecondsOf(stabilize) }),
    ...(jobs.length === 0 ? {} : { jobs: jobs.map(({ manifest }) => manifest) }),
    ...(approval === undefined ? {} : { approval: resolveApproval(approval) }),
  };
}

/** References of the catalog are compared in lower case. */
function resolveApproval({
  required = 1,
  from = [],
  selfApproval = false,
  expires,
  when = 'after',
}: NonNullable<CanaryStep['approval']>): ApprovalSpec {
  return {
    required,
    from: from.map(ref => ref.toLowerCase()),
    selfApproval,
    when,
    ...(expires === undefined ? {} : { expiresMilliseconds: millisecondsOf(expires) }),
  };
}

function chosenBy({ group, clusters, share }: CanaryStep): CanaryStepSpec {
  if (group !== undefined) {
    return { group };
  }
  if (clusters) {
    return { clusters };
  }
  return share === undefined ? {} : { sharePercent: parseShare(share) };
}

function resolvePause(pause: NonNullable<CanaryStep['pause']> | null): Pause {
  const duration = typeof pause === 'string' ? pause : pause?.duration;
  return duration === undefined ? 'promotion' : { milliseconds: millisecondsOf(duration) };
}

function resolveRollingUpdate({
  mode,
  batches,
  stabilize,
  maxSurge,
  maxUnavailable,
}: RollingUpdate): StrategySpec {
  return {
    type: 'RollingUpdate',
    mode,
    batches: resolveBatches(batches ?? 'groups'),
    stabilizeMilliseconds: millisecondsOf(stabilize ?? '0s'),
    ...(maxSurge === undefined ? {} : { maxSurge: countOfAccepted(maxSurge) }),
    ...(maxUnavailable === undefined ? {} : { maxUnavailable: countOfAccepted(maxUnavailable) }),
  };
}

function resolveBatches(batches: NonNullable<RollingUpdate['batches']>): BatchesSpec {
  if (batches === 'groups') {
    return { by: 'groups' };
  }
  return Array.isArray(batches)
    ? { by: 'shares', percents: batches.map(share => parseShare(share) ?? 0) }
    : { by: 'size', size: countOfAccepted(batches) };
}
