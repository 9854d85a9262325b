import type { WriteFence } from 'backstage-plugin-multicluster-release-node';
import type { Lease } from '../store/types';
import type { EngineClock } from './ports';

/**
 * Guards the cluster writes of one claim: none starts later than the lease's end
 * minus the request's time-out (design.md 4.1). A process that slept past its
 * lease finds the fence closed before its first write.
 */
export class LeaseFence implements WriteFence {
  private readonly controller = new AbortController();
  private until: number;

  constructor(lease: Lease, private readonly clock: EngineClock) {
    this.until = lease.until;
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  mayWrite(requestTimeoutMilliseconds: number): boolean {
    return !this.signal.aborted && this.clock.now() + requestTimeoutMilliseconds < this.until;
  }

  isOpen(): boolean {
    return this.mayWrite(0);
  }

  extend(until: number): void {
    this.until = Math.max(this.until, until);
  }

  close(): void {
    this.controller.abort();
  }
}
