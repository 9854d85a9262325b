import { InputError } from '@backstage/errors';
import type { Page, PageRequest } from './types';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

/** Rows per page. @throws InputError when outside of 1–500. */
export function pageLimit(request: PageRequest): number {
  const limit = request.limit ?? DEFAULT_LIMIT;
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw new InputError(`limit is ${limit}; give a whole number from 1 to ${MAX_LIMIT}`);
  }
  return limit;
}

type CursorKey = (string | number)[];

function encodeCursor(key: CursorKey): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

/**
 * The key of the last row of the page before, or undefined for the first page.
 * `shape` names the types that the key's parts must have.
 * @throws InputError when it is not a cursor that this list gave.
 */
export function readCursor(
  cursor: string | undefined,
  shape: ('string' | 'number')[],
): CursorKey | undefined {
  if (cursor === undefined) {
    return undefined;
  }
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const fits =
      Array.isArray(key) &&
      key.length === shape.length &&
      shape.every((type, index) => typeof key[index] === type);
    if (fits) {
      return key;
    }
  } catch {
    // Said below, in the same words as a cursor of another list.
  }
  throw new InputError('cursor was not given by this list; begin again without a cursor');
}

/** Makes a page of rows that were read with one more than `limit`. */
export function pageOf<T>(rows: T[], limit: number, keyOf: (row: T) => CursorKey): Page<T> {
  if (rows.length <= limit) {
    return { items: rows };
  }
  const items = rows.slice(0, limit);
  return { items, nextCursor: encodeCursor(keyOf(items[limit - 1])) };
}
