import { useCallback } from 'react';
import { useAppSearchParams } from '@backstage/frontend-plugin-api';

export type ViewKey = 'release' | 'q';

export interface ViewState {
  release?: string;
  q?: string;
  /** Undefined takes the key out of the address. */
  set: (key: ViewKey, value: string | undefined) => void;
}

/** What is looked at stands in the address, so that a link opens the same view and Back works. */
export function useViewState(): ViewState {
  const [params, setParams] = useAppSearchParams();
  const set = useCallback(
    (key: ViewKey, value: string | undefined) =>
      setParams(
        previous => {
          const next = new URLSearchParams(previous);
          if (value) {
            next.set(key, value);
          } else {
            next.delete(key);
          }
          return next;
        },
        // A release is a place to come back to; each typed letter is not.
        { replace: key === 'q' },
      ),
    [setParams],
  );
  return { release: params.get('release') ?? undefined, q: params.get('q') ?? undefined, set };
}
