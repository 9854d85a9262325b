import { useCallback, useEffect, useState } from 'react';
import { TOAST_MILLISECONDS, type Toast } from '../../hooks';

export interface BarMessage {
  /** Undefined: nothing is told. */
  shown?: Toast;
  tell: (toast: Toast) => { close: () => void };
}

/** A passing message inside of the button bar: on narrow screens a toast would lie over it. */
export function useBarMessage(): BarMessage {
  const [shown, setShown] = useState<Toast>();
  useEffect(() => {
    if (!shown) {
      return undefined;
    }
    const timer = setTimeout(() => setShown(undefined), TOAST_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [shown]);
  const tell = useCallback((toast: Toast) => {
    setShown(toast);
    return { close: () => setShown(current => (current === toast ? undefined : current)) };
  }, []);
  return { shown, tell };
}
