import type { MeasurementView, MetricRule } from 'backstage-plugin-multicluster-release-common';
import { createTexts, exampleMeasurement, exampleRule, NOW } from '../testing';
import { limitWords, measurementWords, readingWords, ruleWords } from './metricWords';

const texts = createTexts('en');
const ROWS = exampleRule({ name: 'rows', unit: undefined, limit: { min: 1_000 }, failureLimit: 1 });

describe('words of a measurement', () => {
  it.each<[rule: MetricRule, words: string]>([
    [exampleRule(), 'at most 1 %'],
    [exampleRule({ unit: 'ms', limit: { max: 0.25 } }), 'at most 0.25 ms'],
    [ROWS, 'at least 1,000'],
  ])('say its limit with its unit: %#', (rule, words) => {
    expect(limitWords(rule, texts)).toBe(words);
  });

  it('say how it decides', () => {
    expect(ruleWords(exampleRule(), 5 * 60_000, texts)).toBe(
      'must be at most 1 %, read every 30 sec, looks back 1 min, passes with 9 good readings on each cluster',
    );
    expect(ruleWords(exampleRule({ count: 1 }), 0, texts)).toMatch(/1 good reading on each/);
    expect(ruleWords(ROWS, 5 * 60_000, texts)).toMatch(/8 good readings/);
  });

  it('name each of several with its limit', () => {
    expect(measurementWords([exampleRule(), ROWS], texts)).toBe(
      'error_rate, at most 1 %; rows, at least 1,000',
    );
  });

  it.each<[changes: Partial<MeasurementView>, words: string]>([
    [{}, '0.25 %, at 13:00:30 UTC'],
    [{ samples: 120 }, '0.25 %, from 120 requests, at 13:00:30 UTC'],
    [{ samples: 0, value: undefined }, 'from no requests, at 13:00:30 UTC'],
    [{ value: undefined, result: 'error', message: 'no answer' }, 'at 13:00:30 UTC'],
  ])('say what was read: %j', (changes, words) => {
    expect(readingWords(exampleMeasurement(changes), exampleRule(), texts, NOW)).toBe(words);
  });
});
