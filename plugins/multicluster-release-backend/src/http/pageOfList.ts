import { InputError } from '@backstage/errors';
import type { Page, PageRequest } from '../store/types';

const DEFAULT_LIMIT = 50;

/** A page of a list that is in memory. The cursor is the position, which is stable while a plan is. */
export function pageOfList<T>(items: T[], { limit = DEFAULT_LIMIT, cursor }: PageRequest): Page<T> {
  const start = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isInteger(start) || start < 0) {
    throw new InputError('cursor was not given by this list; begin again without a cursor');
  }
  const end = start + limit;
  return {
    items: items.slice(start, end),
    nextCursor: end < items.length ? String(end) : undefined,
  };
}
