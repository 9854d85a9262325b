import pLimit from 'p-limit';
import {
  isWithin,
  type Finding,
  type MetricRule,
  type Plan,
  type PlanTarget,
} from 'backstage-plugin-multicluster-release-common';
import type { Reading } from 'backstage-plugin-multicluster-release-node';
import type { CommandContext } from '../CommandContext';

const READINGS_AT_ONCE = 20;

type MetricContext = Pick<CommandContext, 'measurer' | 'settings'>;

/**
 * Tries every query of the plan on every target that its gate watches, so that a
 * wrong one is found before the release starts. What runs there now is another
 * version: no data is no fault yet, and neither is a bad value.
 */
export async function previewMetrics(context: MetricContext, plan: Plan): Promise<Finding[]> {
  const limit = pLimit(READINGS_AT_ONCE);
  const findings = await Promise.all(
    trials(plan).map(trial => limit(() => tryMetric(context, plan, trial))),
  );
  return findings;
}

interface Trial {
  rule: MetricRule;
  target: PlanTarget;
}

/** A stage without clusters of its own watches those of the earlier ones. */
function trials({ stages, targets }: Plan): Trial[] {
  const found = new Map<string, Trial>();
  for (const stage of stages) {
    const watched = stage.targets.length > 0 ? new Set(stage.targets) : undefined;
    for (const rule of stage.steps.flatMap(({ metrics = [] }) => metrics)) {
      for (const target of targets.filter(({ key }) => !watched || watched.has(key))) {
        found.set(JSON.stringify([rule.name, rule.limit, target.key]), { rule, target });
      }
    }
  }
  return [...found.values()];
}

async function tryMetric(
  { measurer, settings }: MetricContext,
  plan: Plan,
  { rule, target }: Trial,
): Promise<Finding> {
  const { cluster, namespace, from } = target;
  const reading = await measurer.measure(
    {
      cluster,
      namespace,
      provider: rule.provider,
      version: plan.targetVersion,
      stableVersion: from?.version,
      windowMilliseconds: rule.windowMilliseconds,
    },
    AbortSignal.timeout(settings.previewTimeoutSeconds * 1000),
  );
  return { cluster, ...said(rule, reading), params: { metric: rule.name, cluster } };
}

function said(rule: MetricRule, reading: Reading): Pick<Finding, 'severity' | 'code' | 'message'> {
  const { name, unit = '', limit } = rule;
  if (reading.result === 'error') {
    return {
      severity: 'warning',
      code: 'MetricUnreadable',
      message: `${name} could not be read: ${reading.message}. Its gate would wait for a person.`,
    };
  }
  if (reading.result === 'noData') {
    return {
      severity: 'info',
      code: 'MetricWithoutData',
      message: `${name} has no data now (${reading.message}); once the new version runs there it has to.`,
    };
  }
  const wanted = 'max' in limit ? `at most ${limit.max}${unit}` : `at least ${limit.min}${unit}`;
  const now = `${name} reads ${reading.value}${unit} now, and must be ${wanted}`;
  return isWithin(limit, reading.value)
    ? { severity: 'info', code: 'MetricRead', message: `${now}.` }
    : { severity: 'warning', code: 'MetricBadNow', message: `${now}: the gate would fail.` };
}
