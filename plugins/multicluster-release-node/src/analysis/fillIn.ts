import type { Measurement } from '../ports';

/** What one query asks for. Of what ran before, nothing may have. */
export interface Question extends Omit<Measurement, 'version' | 'comparison'> {
  version?: string;
  /** The moment that is asked about, in epoch milliseconds; undefined: now. */
  at?: number;
}

/** What stands for the variables of a text, or why it cannot. */
export type FilledText =
  | { result: 'filled'; text: string }
  /** A variable has no value here, such as the version that ran before a first release. */
  | { result: 'noValue'; message: string }
  | { result: 'refused'; message: string };

const VARIABLE = /\{\{\s*(\w+)\s*\}\}/g;
/** Nothing in it ends a string of PromQL, or means anything in one. */
const SAFE = /^[A-Za-z0-9_][A-Za-z0-9_.+-]{0,252}$/;
/** Clusters may bear the names of kubeconfig contexts. */
const SAFE_CLUSTER = /^[A-Za-z0-9_][A-Za-z0-9_.+:/@-]{0,252}$/;

/**
 * Puts the variables of a measurement into a text.
 *
 * @param escape - what a value needs where the text goes; PromQL needs nothing, because
 *   values of other than plain characters are refused
 */
export function fillIn(
  text: string,
  question: Question,
  escape: (value: string) => string = value => value,
): FilledText {
  const values = valuesOf(question);
  const names = [...text.matchAll(VARIABLE)].map(([, name]) => name);
  const unknown = names.find(name => !values.has(name));
  if (unknown !== undefined) {
    return {
      result: 'refused',
      message: `{{${unknown}}} is no variable; there are ${[...values.keys()].join(', ')}`,
    };
  }
  const unsafe = names.find(name => !isSafe(name, values.get(name) ?? 'none'));
  if (unsafe !== undefined) {
    return {
      result: 'refused',
      message: `{{${unsafe}}} is ${JSON.stringify(
        values.get(unsafe),
      )}, which has characters that a query must not get`,
    };
  }
  const without = names.find(name => values.get(name) === undefined);
  if (without !== undefined) {
    return {
      result: 'noValue',
      message: `nothing ran here before, so {{${without}}} has no value`,
    };
  }
  return {
    result: 'filled',
    text: text.replace(VARIABLE, (_, name: string) => escape(values.get(name) ?? '')),
  };
}

function isSafe(name: string, value: string): boolean {
  return (name === 'cluster' ? SAFE_CLUSTER : SAFE).test(value);
}

function valuesOf(question: Question): ReadonlyMap<string, string | undefined> {
  const { cluster, namespace, version, stableVersion, windowMilliseconds } = question;
  return new Map([
    ['cluster', cluster],
    ['namespace', namespace],
    ['version', version],
    ['stableVersion', stableVersion],
    ['window', prometheusDuration(windowMilliseconds)],
  ]);
}

/** For example `60s` or `1200ms`; Prometheus knows no fractions, and no empty window. */
export function prometheusDuration(milliseconds: number): string {
  const whole = Math.max(1, Math.round(milliseconds));
  return whole % 1000 === 0 ? `${whole / 1000}s` : `${whole}ms`;
}
