import type { LoggerService } from '@backstage/backend-plugin-api';

/** Keeps what is logged as a fault or a warning, so that a test can say that there was none. */
export class FaultLogger implements LoggerService {
  readonly faults: string[] = [];
  readonly warnings: string[] = [];

  error(message: string): void {
    this.faults.push(message);
  }

  warn(message: string): void {
    this.warnings.push(message);
  }

  info(): void {}

  debug(): void {}

  child(): LoggerService {
    return this;
  }

  /** Forgets everything. @throws Error that holds the faults, if there were any */
  assertNoFaults(): void {
    this.warnings.length = 0;
    const faults = this.faults.splice(0);
    if (faults.length > 0) {
      throw new Error(`faults were logged: ${faults.join('; ')}`);
    }
  }
}
