import pLimit from 'p-limit';
import {
  type Finding,
  type MetricRule,
  type Plan,
  type PlanTarget,
} from 'backstage-plugin-multicluster-release-common';
import type { Measurement, Reading } from 'backstage-plugin-multicluster-release-node';
import { COMPARED_WITH, judge, limitWords } from '../../decide/judge';
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
  const { name, unit = '' } = rule;
  if (reading.result === 'error') {
    return unreadable(name, reading.message);
  }
  const read =
    reading.result === 'value' &&
    `${name} reads ${reading.value}${unit} now, and must be ${limitWords(rule)}`;
  const beside = compared(rule, reading);
  if (read && judge({ ...rule, minSamples: undefined }, reading).result === 'bad') {
    const message = `${read}: the gate would fail.${beside}`;
    return { severity: 'warning', code: 'MetricBadNow', message };
  }
  if (reading.baseline?.result === 'error') {
    return unreadable(`What ${name} is compared with`, reading.baseline.message);
  }
  return reading.result === 'value'
    ? { severity: 'info', code: 'MetricRead', message: `${read}.${beside}` }
    : {
        severity: 'info',
        code: 'MetricWithoutData',
        message: `${name} has no data now (${reading.message}); once the new version runs there it has to.${beside}`,
      };
}

function unreadable(what: string, why: string): Said {
  const message = `${what} could not be read: ${why}. Its gate would wait for a person.`;
  return { severity: 'warning', code: 'MetricUnreadable', message };
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
