import { RequestDeadlineError } from './errors/errorFromFailure';
import type { Timing } from './Timing';

export interface Deadline {
  signal: AbortSignal;
  /** Ends with the deadline or the caller's signal, even when what is waited for does not listen to it. */
  race<T>(work: Promise<T>): Promise<T>;
  clear(): void;
}

/** One signal for "too late" and "the caller gave up". */
export function startDeadline(
  timing: Pick<Timing, 'after'>,
  milliseconds: number,
  outer: AbortSignal | undefined,
): Deadline {
  const controller = new AbortController();
  const onOuterAbort = () => controller.abort(new Error('given up by the caller'));
  const cancelTimer = timing.after(milliseconds, () => {
    controller.abort(new RequestDeadlineError(milliseconds));
  });
  outer?.addEventListener('abort', onOuterAbort, { once: true });
  if (outer?.aborted) {
    onOuterAbort();
  }
  const ended = new Promise<never>((_, reject) => {
    const fail = () => reject(controller.signal.reason);
    if (controller.signal.aborted) {
      fail();
    } else {
      controller.signal.addEventListener('abort', fail, { once: true });
    }
  });
  ended.catch(() => {});
  return {
    signal: controller.signal,
    race: work => {
      work.catch(() => {});
      return Promise.race([work, ended]);
    },
    clear: () => {
      cancelTimer();
      outer?.removeEventListener('abort', onOuterAbort);
    },
  };
}
