import type { Timing } from '../Timing';

/** Bookmarks come every minute; two that are missing mean that the connection is dead. */
export const SILENCE_MILLISECONDS = 150_000;

/** Nothing came for longer than bookmarks ever take. */
export class SilenceError extends Error {}

/** The server did not end the stream when it was asked to. */
export class OvertimeError extends Error {}

/** Ends a stream that is silent, overdue or no longer wanted. */
export class StreamGuard {
  private readonly controller = new AbortController();
  private readonly cancelOvertime: () => void;
  private cancelSilence: () => void = () => {};

  constructor(
    private readonly timing: Timing,
    longestMilliseconds: number,
    private readonly outer: AbortSignal,
  ) {
    this.cancelOvertime = timing.after(longestMilliseconds, () => {
      this.controller.abort(new OvertimeError());
    });
    outer.addEventListener('abort', this.onOuterAbort, { once: true });
    if (outer.aborted) {
      this.onOuterAbort();
    }
    this.heard();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  heard(): void {
    this.cancelSilence();
    this.cancelSilence = this.timing.after(SILENCE_MILLISECONDS, () => {
      this.controller.abort(new SilenceError());
    });
  }

  clear(): void {
    this.cancelOvertime();
    this.cancelSilence();
    this.outer.removeEventListener('abort', this.onOuterAbort);
  }

  private readonly onOuterAbort = () => this.controller.abort(new Error('no longer wanted'));
}
