import { z } from 'zod';

const HINT =
  'must be per cents such as 50%, or a number such as 0.5 in the unit of the measurement';
const PERCENT = /^([0-9]{1,6}(?:\.[0-9]{1,3})?)%$/;

/** By how much a value may be higher: `50%` of the other one, also above 100%, or a number. */
export const increaseSchema = z.union([z.number().min(0, HINT), z.string().regex(PERCENT, HINT)], {
  error: HINT,
});

/** An increase that the schema has accepted. */
export function increaseOf(value: number | string): { percent: number } | { by: number } {
  return typeof value === 'number' ? { by: value } : { percent: Number(value.slice(0, -1)) };
}
