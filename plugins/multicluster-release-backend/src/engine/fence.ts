import { performance } from 'node:perf_hooks';
import type { WriteFence } from 'backstage-plugin-multicluster-release-node';
import type { Lease } from '../store/types';
import type { EngineClock } from './ports';

/**
 * Guards the cluster writes of one claim: none starts later than the lease's end
 * minus the request's time-out (design.md 4.1). A process that slept past its
 * lease finds the fence closed before its first write.
 *
 * The end is kept on two clocks, and the earlier one counts: the wall clock goes
 * on while a machine sleeps, and the steady one cannot be set back.
 */
export class LeaseFence implements WriteFence {
  private readonly controller = new AbortController();
  private until = 0;
  private steadyUntil = 0;

  constructor(
    lease: Lease,
    private readonly clock: EngineClock,
    private readonly steadyNow: () => number = () => performance.now(),
  ) {
    this.extend(lease.until);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  mayWrite(requestTimeoutMilliseconds: number): boolean {
    return (
      !this.signal.aborted &&
      this.clock.now() + requestTimeoutMilliseconds < this.until &&
      this.steadyNow() + requestTimeoutMilliseconds < this.steadyUntil
    );
  }

  extend(until: number): void {
    this.until = Math.max(this.until, until);
    this.steadyUntil = Math.max(
      this.steadyUntil,
      this.steadyNow() + Math.max(0, until - this.clock.now()),
    );
  }

  close(): void {
    this.controller.abort();
  }
}

/** The claim's fence, which one order can close for one effect alone. */
export function haltable(fence: WriteFence, halt: AbortSignal): WriteFence {
  return {
    mayWrite: milliseconds => !halt.aborted && fence.mayWrite(milliseconds),
    signal: AbortSignal.any([fence.signal, halt]),
  };
}
