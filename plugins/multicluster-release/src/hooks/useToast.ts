import { useCallback, type ReactNode } from 'react';
import { alertApiRef, toastApiRef, useApiHolder } from '@backstage/frontend-plugin-api';

/** How long a passing message stays. */
export const TOAST_MILLISECONDS = 8_000;

export interface Toast {
  title: string;
  status: 'success' | 'danger';
  /** Shown where the app can show more than a line of text. */
  description?: ReactNode;
}

/** Shows a passing message; apps of the old frontend system have only the alert API for it. */
export function useToast(): (toast: Toast) => { close: () => void } {
  const holder = useApiHolder();
  return useCallback(
    ({ title, status, description }: Toast) => {
      const toastApi = holder.get(toastApiRef);
      if (toastApi) {
        return toastApi.post({ title, status, description, timeout: TOAST_MILLISECONDS });
      }
      const severity = status === 'success' ? 'success' : 'error';
      holder.get(alertApiRef)?.post({ message: title, severity, display: 'transient' });
      return { close: () => {} };
    },
    [holder],
  );
}
