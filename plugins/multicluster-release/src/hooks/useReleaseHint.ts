import { useSignal } from '@backstage/plugin-signals-react';

export interface ReleaseHint {
  /** Another value means that there may be news. */
  hint: unknown;
  /**
   * Whether hints are known to arrive. The signals API being there says nothing
   * about its connection, so only a hint that came counts.
   */
  live: boolean;
}

/** Hints of the backend that a release of this service has changed. They carry no data. */
export function useReleaseHint(service: string): ReleaseHint {
  const { lastSignal } = useSignal(`releases:${service}`);
  return { hint: lastSignal ?? undefined, live: lastSignal !== null };
}
