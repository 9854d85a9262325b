import type { Timing } from '../clusters/Timing';

/** Resolves after the time, or at once when the signal is aborted. */
export function pause(timing: Timing, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const end = () => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = timing.after(milliseconds, end);
    signal?.addEventListener('abort', end);
  });
}
