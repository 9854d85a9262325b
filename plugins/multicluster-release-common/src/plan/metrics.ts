/** How a value is read. `{{cluster}}`, `{{namespace}}`, `{{version}}`, `{{stableVersion}}` and `{{window}}` stand in the texts. */
export type MetricProvider =
  | {
      kind: 'prometheus';
      /** Undefined: the one that the configuration names. */
      address?: string;
      /** Gives one value. */
      query: string;
      /** Gives the number of requests in the window. */
      countQuery?: string;
    }
  | {
      kind: 'web';
      url: string;
      /** Dots and `[n]`; undefined: the answer is the value. */
      jsonPath?: string;
    };

/** What a value is held against: good at the limit itself. */
export type MetricLimit = { max: number } | { min: number };

/** What a value is held against beside its limit: the same query at the version that is being replaced. */
export interface MetricComparison {
  /** `stable`: that version now. `before`: that version when the stage began, which shows a sudden rise. */
  with: 'stable' | 'before';
  /** By how much the value may be higher; good at exactly that much. `by` is in the unit of the measurement. */
  maxIncrease: { percent: number } | { by: number };
}

/** A measurement that must be good on every target while the gate of a stage runs (design.md section 6). Times are unscaled. */
export interface MetricRule {
  name: string;
  provider: MetricProvider;
  unit?: string;
  limit: MetricLimit;
  /** Undefined: only the limit counts. */
  compare?: MetricComparison;
  intervalMilliseconds: number;
  /** How far a reading looks back. */
  windowMilliseconds: number;
  /** From the start of the gate to the first reading. */
  initialDelayMilliseconds: number;
  /** Readings that are planned; undefined: as many as the pause has room for. */
  count?: number;
  /** Bad readings that are still good enough. */
  failureLimit: number;
  /** Failed readings in a row; beyond them a person is asked. */
  consecutiveErrorLimit: number;
  /** Requests in the window that a reading needs. */
  minSamples?: number;
  noData: 'hold' | 'pass' | 'fail';
}

/** What one reading says. A reading that could not be taken is never good. */
export type ReadingResult = 'good' | 'bad' | 'noData' | 'error';

export function isWithin(limit: MetricLimit, value: number): boolean {
  return 'max' in limit ? value <= limit.max : value >= limit.min;
}

/** The highest value that is still good beside this one: 50 % above 0.4 is 0.6. */
export function highestBeside({ maxIncrease }: MetricComparison, baseline: number): number {
  return 'by' in maxIncrease
    ? baseline + maxIncrease.by
    : baseline + (Math.abs(baseline) * maxIncrease.percent) / 100;
}

/** Readings that a pause of this length has room for; at least one. */
export function plannedReadings(rule: MetricRule, pauseMilliseconds: number): number {
  const room = pauseMilliseconds - rule.initialDelayMilliseconds;
  return rule.count ?? Math.max(1, Math.floor(room / rule.intervalMilliseconds) + 1);
}

/** Good readings with which a gate with a pause of this length passes; at least one. */
export function neededReadings(rule: MetricRule, pauseMilliseconds: number): number {
  return Math.max(1, plannedReadings(rule, pauseMilliseconds) - rule.failureLimit);
}
