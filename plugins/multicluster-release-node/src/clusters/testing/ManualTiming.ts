import type { Timing } from '../Timing';

interface Timer {
  at: number;
  callback: () => void;
}

/** A clock that a test turns by hand. */
export class ManualTiming implements Timing {
  private readonly timers = new Set<Timer>();

  constructor(private current: number = 0, private readonly chance: number = 0.5) {}

  now(): number {
    return this.current;
  }

  random(): number {
    return this.chance;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const timer = { at: this.current + milliseconds, callback };
    this.timers.add(timer);
    return () => {
      this.timers.delete(timer);
    };
  }

  /** Fires what is due until then, in its order. */
  advance(milliseconds: number): void {
    const end = this.current + milliseconds;
    for (let next = this.earliest(); next && next.at <= end; next = this.earliest()) {
      this.fire(next);
    }
    this.current = end;
  }

  /** Turns the clock to the next timer and fires it. @throws Error when there is none */
  advanceToNext(): void {
    const next = this.earliest();
    if (!next) {
      throw new Error('no timer is set');
    }
    this.fire(next);
  }

  private fire(timer: Timer): void {
    this.timers.delete(timer);
    this.current = Math.max(this.current, timer.at);
    timer.callback();
  }

  private earliest(): Timer | undefined {
    return [...this.timers].sort((a, b) => a.at - b.at)[0];
  }
}
