import pLimit from 'p-limit';
import {
  type Finding,
  type MetricRule,
  type Plan,
  type PlanTarget,
} from 'backstage-plugin-multicluster-release-common';
import type { Measurement, Reading } from 'backstage-plugin-multicluster-release-node';
import { COMPARED_WITH, judge } from '../../decide/judge';
import type { CommandContext } from '../CommandContext';

const READINGS_AT_ONCE = 20;

type MetricContext = Pick<CommandContext, 'measurer' | 'settings' | 'now'>;

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
  { measurer, settings, now }: MetricContext,
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
      ...comparisonAt(rule, now()),
    },
    AbortSignal.timeout(settings.previewTimeoutSeconds * 1000),
  );
  return { cluster, ...said(rule, reading), params: { metric: rule.name, cluster } };
}

/** The stage would begin now. */
function comparisonAt({ compare }: MetricRule, now: number): Pick<Measurement, 'comparison'> {
  switch (compare?.with) {
    case 'before':
      return { comparison: { with: 'before', at: now } };
    case 'stable':
      return { comparison: { with: 'stable' } };
    default:
      return {};
  }
}

type Said = Pick<Finding, 'severity' | 'code' | 'message'>;

function said(rule: MetricRule, reading: Reading): Said {
  const { name, unit = '', limit } = rule;
  const unreadable = [reading, reading.baseline].find(each => each?.result === 'error');
  if (unreadable && 'message' in unreadable) {
    const what = unreadable === reading ? name : `What ${name} is compared with`;
    return {
      severity: 'warning',
      code: 'MetricUnreadable',
      message: `${what} could not be read: ${unreadable.message}. Its gate would wait for a person.`,
    };
  }
  if (reading.result !== 'value') {
    return {
      severity: 'info',
      code: 'MetricWithoutData',
      message: `${name} has no data now (${
        'message' in reading ? reading.message : ''
      }); once the new version runs there it has to.${compared(rule, reading)}`,
    };
  }
  const wanted = 'max' in limit ? `at most ${limit.max}${unit}` : `at least ${limit.min}${unit}`;
  const now = `${name} reads ${reading.value}${unit} now, and must be ${wanted}`;
  return judge({ ...rule, minSamples: undefined }, reading).result === 'bad'
    ? {
        severity: 'warning',
        code: 'MetricBadNow',
        message: `${now}: the gate would fail.${compared(rule, reading)}`,
      }
    : { severity: 'info', code: 'MetricRead', message: `${now}.${compared(rule, reading)}` };
}

/** A sentence of its own; empty where nothing is compared. */
function compared({ compare, unit = '' }: MetricRule, { baseline }: Reading): string {
  if (!compare || !baseline || baseline.result === 'error') {
    return '';
  }
  return baseline.result === 'noData'
    ? ` The value ${COMPARED_WITH[compare.with]} is not known (${
        baseline.message
      }), and without it nothing is good.`
    : ` The value ${COMPARED_WITH[compare.with]} is ${baseline.value}${unit}.`;
}
