import {
  neededReadings,
  type MeasurementView,
  type MetricRule,
} from 'backstage-plugin-multicluster-release-common';
import type { Texts } from './Texts';

/** For example `0.25 %`. */
export function valueWords(value: number, { unit }: MetricRule, texts: Texts): string {
  const measured = texts.measured(value);
  return unit ? texts.text('metrics.value', { value: measured, unit }) : measured;
}

/** For example `at most 1 %`. */
export function limitWords(rule: MetricRule, texts: Texts): string {
  const { limit } = rule;
  return 'max' in limit
    ? texts.text('metrics.atMost', { limit: valueWords(limit.max, rule, texts) })
    : texts.text('metrics.atLeast', { limit: valueWords(limit.min, rule, texts) });
}

/** What several measurements ask for: `error_rate, at most 1 %; latency, at most 300 ms`. */
export function measurementWords(rules: MetricRule[], texts: Texts): string {
  return rules
    .map(rule => texts.text('metrics.named', { metric: rule.name, limit: limitWords(rule, texts) }))
    .join('; ');
}

/** How a measurement decides, with the times of the document. */
export function ruleWords(rule: MetricRule, pauseMilliseconds: number, texts: Texts): string {
  const { text, duration } = texts;
  return [
    text('metrics.must', { limit: limitWords(rule, texts) }),
    text('metrics.every', { interval: duration(rule.intervalMilliseconds) }),
    text('metrics.window', { window: duration(rule.windowMilliseconds) }),
    text('metrics.need', { count: neededReadings(rule, pauseMilliseconds) }),
  ].join(text('sentence.separator'));
}

/** A reading without its result and its message: `0.25 %, from 120 requests, at 13:04 UTC`. */
export function readingWords(
  { value, samples, at }: MeasurementView,
  rule: MetricRule,
  texts: Texts,
  now: number,
): string {
  const { text } = texts;
  return [
    ...(value === undefined ? [] : [valueWords(value, rule, texts)]),
    ...(samples === undefined ? [] : [text('metrics.samples', { count: samples })]),
    text('metrics.at', { time: texts.clock(at, now) }),
  ].join(text('sentence.separator'));
}
