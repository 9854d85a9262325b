import { z } from 'zod';
import type { Count } from '../../plan/spec';
import { consistsOf, isDigit } from './characters';

/** More than any fleet; a larger number is a typing mistake. */
const MAX_COUNT = 100_000;

const COUNT_HINT = 'must be a count such as 3, or whole per cents such as 30% (0% to 100%)';
const SHARE_HINT = 'must be whole per cents from 1% to 100%';

/**
 * Reads `3`, `"3"` or `30%`. Undefined for everything else: negative and broken
 * numbers, per cents above 100, words, nothing (field case C29).
 */
export function parseCount(value: number | string): Count | undefined {
  if (typeof value === 'number') {
    return Number.isInteger(value) && value >= 0 && value <= MAX_COUNT
      ? { count: value }
      : undefined;
  }
  if (value.endsWith('%')) {
    const percent = wholeNumber(value.slice(0, -1));
    return percent !== undefined && percent <= 100 ? { percent } : undefined;
  }
  const count = wholeNumber(value);
  return count !== undefined && count <= MAX_COUNT ? { count } : undefined;
}

function wholeNumber(text: string): number | undefined {
  return text.length <= 6 && consistsOf(text, isDigit) ? Number(text) : undefined;
}

/** Per cents of a share, or undefined. */
export function parseShare(value: number | string): number | undefined {
  const count = parseCount(value);
  return count && 'percent' in count ? count.percent : undefined;
}

function isAboveZero(value: number | string): boolean {
  const count = parseCount(value);
  return count !== undefined && ('count' in count ? count.count : count.percent) > 0;
}

const PATTERN = '^([0-9]{1,6}|([0-9]|[1-9][0-9]|100)%)$';

const wholeNumberSchema = z
  .number()
  .refine(value => parseCount(value) !== undefined, COUNT_HINT)
  .meta({ type: 'integer', minimum: 0 });
const countTextSchema = z
  .string()
  .refine(value => parseCount(value) !== undefined, COUNT_HINT)
  .meta({ pattern: PATTERN });

/** `3` or `30%`. */
export const countSchema = z.union([wholeNumberSchema, countTextSchema], { error: COUNT_HINT });

/** `3` or `30%`, and not zero. */
export const positiveCountSchema = z.union(
  [
    z
      .number()
      .refine(isAboveZero, `${COUNT_HINT}, above zero`)
      .meta({ type: 'integer', minimum: 1 }),
    z.string().refine(isAboveZero, `${COUNT_HINT}, above zero`).meta({ pattern: PATTERN }),
  ],
  { error: `${COUNT_HINT}, above zero` },
);

/** `30%` of the clusters. */
export const shareSchema = z
  .string({ error: SHARE_HINT })
  .refine(value => (parseShare(value) ?? 0) > 0, SHARE_HINT)
  .meta({ pattern: '^([1-9]|[1-9][0-9]|100)%$' });

/** A count that a schema has accepted. @throws RangeError where it had not. */
export function countOfAccepted(value: number | string): Count {
  const count = parseCount(value);
  if (!count) {
    throw new RangeError(`${value} ${COUNT_HINT}`);
  }
  return count;
}
