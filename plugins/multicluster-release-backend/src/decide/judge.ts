import {
  highestBeside,
  isWithin,
  type MetricComparison,
  type MetricRule,
  type ReadingResult,
} from 'backstage-plugin-multicluster-release-common';
import type { Reading, SingleReading } from 'backstage-plugin-multicluster-release-node';

/** What a reading means by its rule, with words where the value alone does not say it. */
export interface Verdict {
  result: ReadingResult;
  message?: string;
}

const NO_DATA = { hold: 'noData', pass: 'good', fail: 'bad' } as const;

/** What `with` stands for, for people. */
export const COMPARED_WITH: Record<MetricComparison['with'], string> = {
  stable: 'of the stable version now',
  before: 'of before the stage began',
};

/** What a value has to be, for people: `at most 1%`. */
export function limitWords({ limit, unit = '' }: MetricRule): string {
  return 'max' in limit ? `at most ${limit.max}${unit}` : `at least ${limit.min}${unit}`;
}

/**
 * Too few requests are no data, and no data is what the rule says. A value
 * beyond its limit is bad whatever it is compared with; without something to
 * compare with no value is good, also where `noData` is `pass`.
 */
export function judge(rule: MetricRule, reading: Reading): Verdict {
  if (reading.result === 'error') {
    return { result: 'error', message: reading.message };
  }
  const missing = whatIsMissing(rule, reading);
  if (missing !== undefined || reading.result !== 'value') {
    return { result: NO_DATA[rule.noData], message: missing };
  }
  if (rule.compare === undefined || !isWithin(rule.limit, reading.value)) {
    return { result: isWithin(rule.limit, reading.value) ? 'good' : 'bad' };
  }
  return beside(rule, rule.compare, reading.value, reading.baseline);
}

/** Undefined for a value from enough requests. */
function whatIsMissing({ minSamples }: MetricRule, reading: SingleReading): string | undefined {
  if (reading.result !== 'value') {
    return reading.message;
  }
  if (minSamples === undefined || (reading.samples ?? -1) >= minSamples) {
    return undefined;
  }
  return reading.samples === undefined
    ? 'nobody counted the requests'
    : `${number(reading.samples)} requests in the window, and ${minSamples} are needed`;
}

function beside(
  rule: MetricRule,
  compare: MetricComparison,
  value: number,
  baseline: SingleReading | undefined,
): Verdict {
  const missing = baseline ? whatIsMissing(rule, baseline) : 'it was not read';
  if (baseline?.result !== 'value' || missing !== undefined) {
    return {
      result: baseline?.result === 'error' ? 'error' : 'noData',
      message: `the value ${COMPARED_WITH[compare.with]} is not known: ${missing}`,
    };
  }
  const { unit = '' } = rule;
  const highest = highestBeside(compare, baseline.value);
  return {
    result: value <= highest ? 'good' : 'bad',
    message: `at most ${number(highest)}${unit} beside ${number(baseline.value)}${unit} ${
      COMPARED_WITH[compare.with]
    }`,
  };
}

/** 0.4 + 50 % is 0.6, not 0.6000000000000001. */
function number(value: number): string {
  return String(Number(value.toPrecision(6)));
}
