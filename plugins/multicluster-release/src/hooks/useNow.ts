import { useEffect, useState } from 'react';
import { useApi } from '@backstage/frontend-plugin-api';
import { multiclusterReleaseApiRef } from '../api';

/** The server's clock, read again after each interval while the page is looked at. */
export function useNow(intervalMilliseconds: number = 1_000): number {
  const api = useApi(multiclusterReleaseApiRef);
  const [now, setNow] = useState(() => api.now());
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) {
        setNow(api.now());
      }
    }, intervalMilliseconds);
    return () => clearInterval(timer);
  }, [api, intervalMilliseconds]);
  return now;
}
