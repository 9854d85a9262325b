import { useCallback } from 'react';
import { useAppSearchParams } from '@backstage/frontend-plugin-api';

export type ViewKey = 'release' | 'q' | 'approve';

export interface ViewState {
  release?: string;
  q?: string;
  /** Gate of a question that the viewer is asked to answer. */
  approve?: string;
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
        // A release is a place to come back to; each typed letter and an answered question are not.
        { replace: key !== 'release' },
      ),
    [setParams],
  );
  const get = (key: ViewKey) => params.get(key) ?? undefined;
  return { release: get('release'), q: get('q'), approve: get('approve'), set };
}
