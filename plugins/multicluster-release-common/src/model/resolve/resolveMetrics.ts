import type { MetricComparison, MetricLimit, MetricProvider, MetricRule } from '../../plan/metrics';
import { increaseOf } from '../primitives/increase';
import { nearest } from '../errors/nearest';
import { millisecondsOf } from '../primitives/duration';
import type { MetricGate } from '../release/gates';
import type { Metric } from '../template/metrics';

const INTERVAL_MILLISECONDS = 30_000;
const SHORTEST_WINDOW_MILLISECONDS = 60_000;
const CONSECUTIVE_ERROR_LIMIT = 4;
/** Where requests are counted; fewer say nothing about a rate. */
const MIN_SAMPLES = 20;

export interface MetricTrouble {
  path: string;
  message: string;
  suggestion?: string;
}

/**
 * Gates with the measurements that they name, and the defaults of design.md
 * section 6: interval 30 s, window max(1 m, interval), first reading after one
 * window, failureLimit 0, noData hold.
 *
 * @param path - of the list of gates, for what leads nowhere
 */
export function resolveMetrics(
  gates: MetricGate[],
  metrics: Metric[],
  path: string,
): { rules: MetricRule[]; trouble: MetricTrouble[] } {
  const trouble: MetricTrouble[] = [];
  const rules = gates.flatMap((gate, index) => {
    const metric = metrics.find(({ name }) => name === gate.name);
    const limit = metric && limitOf(gate, metric);
    if (!metric) {
      trouble.push({ path: `${path}[${index}].name`, ...unknownMetric(gate.name, metrics) });
    } else if (gate.minSamples && !metric.prometheus?.countQuery) {
      trouble.push({
        path: `${path}[${index}].minSamples`,
        message: `needs a countQuery in the measurement ${gate.name}: without one nobody counts the requests`,
      });
    } else if (!limit) {
      trouble.push({
        path: `${path}[${index}].threshold`,
        message: `is missing, and ${gate.name} has neither max nor min: say what is good`,
      });
    } else if (metric.compare && 'min' in limit) {
      trouble.push({
        path: `${path}[${index}].name`,
        message: `is ${gate.name}, whose compare says how much higher a value may be, and which has only min: give it max`,
      });
    }
    return metric && limit ? [ruleOf(gate, metric, limit)] : [];
  });
  return { rules, trouble };
}

function unknownMetric(name: string, metrics: Metric[]): Omit<MetricTrouble, 'path'> {
  const names = metrics.map(metric => metric.name);
  const known = names.length > 0 ? `there are ${names.join(', ')}` : 'it has none';
  const suggestion = nearest(name, names);
  return {
    message: `is ${name}, which spec.metrics of the ResourceTemplate does not have (${known}): add it there`,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

/** The gate's threshold is an upper limit, unless the measurement has a lower one. */
function limitOf({ threshold }: MetricGate, { max, min }: Metric): MetricLimit | undefined {
  if (min !== undefined && max === undefined) {
    return { min: threshold ?? min };
  }
  const limit = threshold ?? max;
  return limit === undefined ? undefined : { max: limit };
}

function ruleOf(gate: MetricGate, metric: Metric, limit: MetricLimit): MetricRule {
  const interval = gate.interval ?? metric.interval;
  const intervalMilliseconds = interval ? millisecondsOf(interval) : INTERVAL_MILLISECONDS;
  const windowMilliseconds = metric.window
    ? millisecondsOf(metric.window)
    : Math.max(SHORTEST_WINDOW_MILLISECONDS, intervalMilliseconds);
  const counts = metric.prometheus?.countQuery !== undefined;
  const minSamples = gate.minSamples ?? (counts ? MIN_SAMPLES : undefined);
  return {
    name: metric.name,
    provider: providerOf(metric),
    limit,
    ...comparisonOf(metric),
    intervalMilliseconds,
    windowMilliseconds,
    initialDelayMilliseconds: metric.initialDelay
      ? millisecondsOf(metric.initialDelay)
      : windowMilliseconds,
    failureLimit: gate.failureLimit ?? 0,
    consecutiveErrorLimit: gate.consecutiveErrorLimit ?? CONSECUTIVE_ERROR_LIMIT,
    noData: metric.noData ?? 'hold',
    ...(metric.unit === undefined ? {} : { unit: metric.unit }),
    ...(metric.count === undefined ? {} : { count: metric.count }),
    ...(minSamples === undefined ? {} : { minSamples }),
  };
}

/** `notBuiltYet` has refused the other values of `with` before. */
function comparisonOf({ compare }: Metric): { compare?: MetricComparison } {
  return compare === undefined || compare.with === 'otherClusters'
    ? {}
    : { compare: { with: compare.with, maxIncrease: increaseOf(compare.maxIncrease) } };
}

/** `notBuiltYet` has refused the other providers before. */
function providerOf({ prometheus, web }: Metric): MetricProvider {
  if (web) {
    return { kind: 'web', ...web };
  }
  return { kind: 'prometheus', query: '', ...prometheus };
}
