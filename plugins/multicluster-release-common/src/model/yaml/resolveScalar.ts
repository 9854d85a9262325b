import { consistsOf, isDigit } from '../primitives/characters';

/*
 * Plain scalars as kubectl reads them (sigs.k8s.io/yaml, which is YAML 1.1 with
 * exceptions): `yes`, `on` and `y` are booleans, `0644` is octal, `1_000` is a
 * number; times and base-60 numbers stay text. Checked against that program.
 */

const WORDS = new Map<string, boolean | undefined>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map(
    word => [word, true] as const,
  ),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map(
    word => [word, false] as const,
  ),
  ...['', '~', 'null', 'Null', 'NULL'].map(word => [word, undefined] as const),
]);

const NOT_A_NUMBER = ['.nan', '.NaN', '.NAN', '.inf', '.Inf', '.INF'];

/** What a plain scalar means; `unfit` has the reason why JSON cannot carry it. */
export type Scalar = { value: string | number | boolean | undefined } | { unfit: string };

export function resolveScalar(source: string): Scalar {
  if (WORDS.has(source)) {
    return { value: WORDS.get(source) };
  }
  const first = source.charAt(0);
  if (!isDigit(first) && !'+-.'.includes(first)) {
    return { value: source };
  }
  const unsigned = first === '+' || first === '-' ? source.slice(1) : source;
  if (NOT_A_NUMBER.includes(unsigned) || NOT_A_NUMBER.includes(source)) {
    return { unfit: `${source} is no number that JSON can carry` };
  }
  return resolveNumber(source);
}

function resolveNumber(source: string): Scalar {
  const text = source.replaceAll('_', '');
  const negative = text.startsWith('-');
  const unsigned = negative || text.startsWith('+') ? text.slice(1) : text;
  const magnitude = parseInteger(unsigned);
  if (magnitude !== undefined) {
    // Written as it is meant, or the cluster would be given another number than the file has.
    return magnitude <= BigInt(Number.MAX_SAFE_INTEGER)
      ? { value: Number(negative ? -magnitude : magnitude) }
      : tooLarge(source, unsigned);
  }
  const number = isFloat(unsigned) ? Number(unsigned) : Infinity;
  if (!Number.isFinite(number)) {
    return { value: source };
  }
  return { value: negative ? -number : number };
}

/** Hexadecimal numbers beyond 64 bits are text for kubectl. */
function tooLarge(source: string, unsigned: string): Scalar {
  const isDecimal = consistsOf(unsigned, isDigit) && !unsigned.startsWith('0');
  if (!isDecimal && (parseInteger(unsigned) ?? 0n) > 0xffff_ffff_ffff_ffffn) {
    return { value: source };
  }
  return {
    unfit: `${source} is larger than the ${Number.MAX_SAFE_INTEGER} up to which numbers are carried exactly`,
  };
}

/** Base by prefix; a leading zero alone is octal. Undefined where it is no whole number. */
function parseInteger(text: string): bigint | undefined {
  const prefix = text.slice(0, 2).toLowerCase();
  if (prefix === '0x' || prefix === '0b' || prefix === '0o') {
    const digits = { '0x': '0123456789abcdef', '0b': '01', '0o': '01234567' }[prefix];
    const rest = text.slice(2).toLowerCase();
    return consistsOf(rest, digit => digits.includes(digit)) ? BigInt(prefix + rest) : undefined;
  }
  if (text.length > 1 && text.startsWith('0')) {
    const rest = text.slice(1);
    return consistsOf(rest, digit => '01234567'.includes(digit)) ? BigInt(`0o${rest}`) : undefined;
  }
  return consistsOf(text, isDigit) && text.length <= 40 ? BigInt(text) : undefined;
}

/** Digits with at most one point, and an exponent. */
function isFloat(text: string): boolean {
  const exponentAt = text.toLowerCase().indexOf('e');
  const mantissa = exponentAt < 0 ? text : text.slice(0, exponentAt);
  const exponent = exponentAt < 0 ? '0' : text.slice(exponentAt + 1);
  const digits = mantissa.replace('.', '');
  const exponentDigits =
    exponent.startsWith('+') || exponent.startsWith('-') ? exponent.slice(1) : exponent;
  return consistsOf(digits, isDigit) && consistsOf(exponentDigits, isDigit);
}
