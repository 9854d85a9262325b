import { z } from 'zod';
import { isDigit } from './characters';

const UNITS = [
  { unit: 'h', milliseconds: 3_600_000 },
  { unit: 'm', milliseconds: 60_000 },
  { unit: 's', milliseconds: 1_000 },
];

/** One year; a longer wait is a typing mistake. */
const MAX_MILLISECONDS = 366 * 24 * 3_600_000;

const HINT = 'must be a duration such as 10m, 1h30m or 45s';

/**
 * Reads `10m`, `1h30m`, `45s`: whole numbers with a unit, each unit at most once,
 * larger ones first. Gives milliseconds, or undefined where the text is something else.
 */
export function parseDuration(text: string): number | undefined {
  let total = 0;
  let digits = '';
  let nextUnit = 0;
  for (const character of text) {
    if (isDigit(character)) {
      digits += character;
      continue;
    }
    const unit = UNITS.findIndex(candidate => candidate.unit === character);
    if (unit < nextUnit || digits === '') {
      return undefined;
    }
    total += Number(digits) * UNITS[unit].milliseconds;
    nextUnit = unit + 1;
    digits = '';
  }
  return text !== '' && digits === '' && total <= MAX_MILLISECONDS ? total : undefined;
}

// The pattern is for editors only; what is accepted is decided by parseDuration.
const PATTERN = '^(?=[0-9])([0-9]+h)?([0-9]+m)?([0-9]+s)?$';

/** A duration; `0s` is none. */
export const durationSchema = z
  .string({ error: HINT })
  .refine(text => parseDuration(text) !== undefined, HINT)
  .meta({ pattern: PATTERN });

/** A duration above zero, where none would be no rule at all. */
export const positiveDurationSchema = z
  .string({ error: HINT })
  .refine(text => (parseDuration(text) ?? 0) > 0, `${HINT}, above zero`)
  .meta({ pattern: PATTERN });

/** Milliseconds of a duration that a schema has accepted. @throws RangeError where it had not. */
export function millisecondsOf(duration: string): number {
  const milliseconds = parseDuration(duration);
  if (milliseconds === undefined) {
    throw new RangeError(`${duration} ${HINT}`);
  }
  return milliseconds;
}
