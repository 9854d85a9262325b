import type { ListedClusters } from '../types';

/** What is known of one source of clusters after its newest answer. */
export interface SourceListing<T> {
  items: T[];
  /** When it last answered well; epoch milliseconds; undefined: never. */
  listedAt?: number;
  /** How many it listed before this process started. */
  remembered?: number;
  problem?: ListedClusters['problem'];
  message?: string;
}

export type SourceAnswer<T> = { items: T[] } | { error: string };

/**
 * Takes a new answer of a source. An error is never an empty list, and a list
 * that lost everything at once waits for a person (C07): in both cases the last
 * known clusters stay, with the problem beside them.
 */
export function trustListing<T>(
  known: SourceListing<T>,
  answer: SourceAnswer<T>,
  description: string,
  now: number,
): SourceListing<T> {
  if ('error' in answer) {
    return {
      ...known,
      problem: 'listing-failed',
      message: `${description} could not be listed: ${answer.error}`,
    };
  }
  const length = known.items.length || (known.remembered ?? 0);
  if (answer.items.length === 0 && length > 0) {
    return {
      ...known,
      problem: 'suddenly-empty',
      message: `${description} lists no cluster any more: ${length} of ${length} clusters would be emptied. Confirm it, or bring the list back`,
    };
  }
  return { items: answer.items, listedAt: now };
}

/** A person says that an empty list is right. Only what is suddenly empty is taken. */
export function confirmEmptyListing<T>(known: SourceListing<T>, now: number): SourceListing<T> {
  return known.problem === 'suddenly-empty' ? { items: [], listedAt: now } : known;
}

/** The sources together: one that cannot be trusted makes the whole list one that decides nothing. */
export function combineListings(
  sources: SourceListing<unknown>[],
): Omit<ListedClusters, 'clusters'> {
  const troubled = sources.filter(source => source.problem !== undefined);
  const times = sources.map(source => source.listedAt);
  const known = times.filter(time => time !== undefined);
  return {
    stale: troubled.length > 0,
    // A failed listing is told first: an empty one beside it may be its effect.
    problem:
      troubled.find(source => source.problem === 'listing-failed')?.problem ?? troubled[0]?.problem,
    message: troubled.length > 0 ? troubled.map(source => source.message).join('; ') : undefined,
    listedAt: known.length === times.length && known.length > 0 ? Math.min(...known) : undefined,
  };
}
