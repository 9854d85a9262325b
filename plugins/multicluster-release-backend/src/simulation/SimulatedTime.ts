import type { EngineClock } from '../engine';
import { TimerQueue } from './TimerQueue';

/** Time that moves only from event to event; between two events every promise settles. */
export class SimulatedTime implements EngineClock {
  private current = Date.UTC(2026, 0, 1);
  private readonly timers = new TimerQueue();

  now(): number {
    return this.current;
  }

  after(milliseconds: number, callback: () => void): () => void {
    return this.timers.add(this.current + Math.max(0, milliseconds), callback);
  }

  /** Runs the next event; false where there is none before `until`. */
  async step(until: number): Promise<boolean> {
    const next = this.timers.takeBefore(until);
    if (!next) {
      this.current = until;
      return false;
    }
    this.current = Math.max(this.current, next.at);
    next.run();
    await settlePromises();
    return true;
  }
}

/** setImmediate runs after all settled promises' callbacks: nothing here does real I/O. */
function settlePromises(): Promise<void> {
  return new Promise(resolve => {
    setImmediate(resolve);
  });
}
