/** Time and chance, handed in so that tests can turn the clock by hand. */
export interface Timing {
  /** Epoch milliseconds. */
  now(): number;
  /** From 0 (inclusive) to 1. */
  random(): number;
  /** Calls back once; answers the way to call it off. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** The clock of this machine. Its timers do not keep the process alive. */
export const systemTiming: Timing = {
  now: () => Date.now(),
  random: () => Math.random(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
