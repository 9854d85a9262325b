import type { EngineClock } from '../engine';
import type { SimulatedTime } from './SimulatedTime';

/**
 * The clock of one replica. A killed replica's timers never fire; those of a
 * sleeping one fire when it wakes, as after a virtual machine's pause.
 */
export class ReplicaClock implements EngineClock {
  private mode: 'running' | 'sleeping' | 'dead' = 'running';
  private missed: (() => void)[] = [];
  private nap: { from: number; to: number } | undefined;

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

  /** The last moment, not after `at`, at which this replica could have looked at anything. */
  awakeAt(at: number): number {
    return this.nap && at >= this.nap.from && at < this.nap.to ? this.nap.from : at;
  }

  /** Since when it has not slept. */
  awakeSince(): number {
    return this.nap?.to ?? 0;
  }

  isRunning(): boolean {
    return this.mode === 'running';
  }

  kill(): void {
    this.mode = 'dead';
  }

  sleep(): void {
    if (this.mode === 'running') {
      this.mode = 'sleeping';
      this.nap = { from: this.time.now(), to: Number.POSITIVE_INFINITY };
    }
  }

  awake(): void {
    if (this.mode !== 'sleeping' || !this.nap) {
      return;
    }
    this.mode = 'running';
    this.nap.to = this.time.now();
    const missed = this.missed;
    this.missed = [];
    missed.forEach(fire => fire());
  }
}
