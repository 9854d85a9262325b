import type { PolicySpec } from '../../plan/spec';
import type { WindowSpec } from '../../plan/types';
import type { DistributionPolicySpec } from '../policy/DistributionPolicy';
import { countOfAccepted } from '../primitives/count';
import { millisecondsOf } from '../primitives/duration';

const DEFAULT_TIMEOUT = '10m';
const DEFAULT_OFFLINE_AFTER = '10m';

/** A policy with the format's defaults filled in. */
export function resolvePolicy(policy: DistributionPolicySpec): PolicySpec {
  return {
    order: resolveOrder(policy.order),
    ...(policy.maxConcurrency === undefined
      ? {}
      : { maxConcurrency: countOfAccepted(policy.maxConcurrency) }),
    timeoutMilliseconds: millisecondsOf(policy.timeout ?? DEFAULT_TIMEOUT),
    retries: policy.retries ?? 0,
    maxFailures: policy.maxFailures ?? 0,
    onFailure: policy.onFailure ?? 'RollbackTouched',
    onNewer: policy.onNewer ?? 'Queue',
    offline: {
      policy: policy.offline?.policy ?? 'Wait',
      afterMilliseconds: millisecondsOf(policy.offline?.after ?? DEFAULT_OFFLINE_AFTER),
    },
    prune: policy.prune ?? true,
    ...unlessDefault(policy),
  };
}

/** Defaults are left out, so that documents of before these fields were built keep their hash. */
function unlessDefault(policy: DistributionPolicySpec): Partial<PolicySpec> {
  const { maxUnavailable, joining, adapt, windows = [] } = policy;
  return {
    ...(maxUnavailable === undefined ? {} : { maxUnavailable: countOfAccepted(maxUnavailable) }),
    ...(joining === 'CatchUp' ? { joining } : {}),
    ...(adapt === true ? { adapt } : {}),
    ...(windows.length === 0 ? {} : { windows: windows.map(resolveWindow) }),
  };
}

function resolveWindow({
  cron,
  duration,
  timeZone = 'UTC',
  kind,
}: NonNullable<DistributionPolicySpec['windows']>[number]): WindowSpec {
  return { cron, durationMilliseconds: millisecondsOf(duration), timeZone, kind };
}

function resolveOrder(order: DistributionPolicySpec['order']): PolicySpec['order'] {
  const { by, label } =
    typeof order === 'object' ? order : { by: order ?? 'groups', label: undefined };
  return by === 'priority' ? { by, label: label ?? '' } : { by };
}
