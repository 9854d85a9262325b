import type { EngineClock } from '../engine';

interface Timer {
  at: number;
  order: number;
  run: () => void;
}

/** Time that moves only from event to event; between two events every promise settles. */
export class SimulatedTime implements EngineClock {
  private current = Date.UTC(2026, 0, 1);
  private order = 0;
  private timers: Timer[] = [];

  now(): number {
    return this.current;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const timer = {
      at: this.current + Math.max(0, milliseconds),
      order: this.order++,
      run: callback,
    };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter(other => other !== timer);
    };
  }

  delay(milliseconds: number): Promise<void> {
    return new Promise(resolve => {
      this.after(milliseconds, resolve);
    });
  }

  /** Runs the next event; false where there is none before `until`. */
  async step(until: number): Promise<boolean> {
    await settlePromises();
    const next = this.timers.reduce<Timer | undefined>(
      (best, timer) => (isEarlier(timer, best) ? timer : best),
      undefined,
    );
    if (!next || next.at > until) {
      this.current = until;
      return false;
    }
    this.timers = this.timers.filter(timer => timer !== next);
    this.current = Math.max(this.current, next.at);
    next.run();
    await settlePromises();
    return true;
  }
}

function isEarlier(timer: Timer, best: Timer | undefined): boolean {
  return !best || timer.at < best.at || (timer.at === best.at && timer.order < best.order);
}

/** setImmediate runs after all settled promises' callbacks: nothing here does real I/O. */
function settlePromises(): Promise<void> {
  return new Promise(resolve => {
    setImmediate(resolve);
  });
}

/**
 * The clock of one replica. A killed replica's timers never fire; those of a
 * sleeping one fire when it wakes, as after a virtual machine's pause.
 */
export class ReplicaClock implements EngineClock {
  private mode: 'running' | 'sleeping' | 'dead' = 'running';
  private missed: (() => void)[] = [];

  constructor(private readonly time: SimulatedTime) {}

  now(): number {
    return this.time.now();
  }

  after(milliseconds: number, callback: () => void): () => void {
    let cancelled = false;
    const fire = () => {
      if (cancelled || this.mode === 'dead') {
        return;
      }
      if (this.mode === 'sleeping') {
        this.missed.push(fire);
      } else {
        callback();
      }
    };
    const cancel = this.time.after(milliseconds, fire);
    return () => {
      cancelled = true;
      cancel();
    };
  }

  delay(milliseconds: number): Promise<void> {
    return new Promise(resolve => {
      this.after(milliseconds, resolve);
    });
  }

  kill(): void {
    this.mode = 'dead';
  }

  sleep(): void {
    if (this.mode === 'running') {
      this.mode = 'sleeping';
    }
  }

  awake(): void {
    if (this.mode !== 'sleeping') {
      return;
    }
    this.mode = 'running';
    const missed = this.missed;
    this.missed = [];
    missed.forEach(fire => fire());
  }
}
