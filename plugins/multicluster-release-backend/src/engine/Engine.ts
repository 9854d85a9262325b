import type { Lease } from '../store/types';
import type { EngineOptions } from './ports';
import { ReleaseDriver } from './ReleaseDriver';

/**
 * Between two claims, however soon there is work again: on SQLite neither turns nor
 * claims ever wait for anything, and would leave the process no time for requests.
 */
const REST_MILLISECONDS = 10;

/*
 * Claims releases and drives each with its own ReleaseDriver. Knows nothing of
 * what a release does. Modes: `new` → `running` → `stopped`.
 *
 * Leases are renewed at a third of their length. A claim that could not be
 * renewed closes its fence by time, so that two replicas never write at once.
 */
export class Engine {
  private readonly drivers = new Map<string, ReleaseDriver>();
  private mode: 'new' | 'running' | 'stopped' = 'new';
  private cancelClaim: () => void = () => {};
  private cancelRenew: () => void = () => {};
  private claiming: Promise<void> | undefined;
  private claimAgain = false;
  /** As the last poll saw it. */
  private controls = '';

  constructor(private readonly options: EngineOptions) {}

  start(): void {
    if (this.mode !== 'new') {
      throw new Error(`The engine is ${this.mode}: it can be started once`);
    }
    this.mode = 'running';
    this.claimSoon();
    this.renewLater();
  }

  /** Lets go of every release, at shutdown; resolves when no effect runs any more and the leases are free. */
  async stop(): Promise<void> {
    this.mode = 'stopped';
    this.cancelClaim();
    this.cancelRenew();
    await this.claiming;
    const drivers = [...this.drivers.values()];
    this.drivers.clear();
    await Promise.all(drivers.map(driver => driver.stop()));
    await this.options.store.release(drivers.map(driver => driver.currentLease()));
  }

  /** Something changed: a release was made, or a person gave an order. */
  wake(releaseId?: string): void {
    if (this.mode !== 'running') {
      return;
    }
    const driver = releaseId === undefined ? undefined : this.drivers.get(releaseId);
    if (driver) {
      driver.wake();
    } else {
      this.claimSoon();
    }
  }

  /** Ids of the releases that this replica drives now. */
  driving(): string[] {
    return [...this.drivers.keys()];
  }

  private claimSoon(): void {
    this.cancelClaim();
    if (this.claiming) {
      this.claimAgain = true;
      return;
    }
    this.claiming = this.poll().finally(() => {
      this.claiming = undefined;
      if (this.mode === 'running') {
        this.cancelClaim = this.options.clock.after(
          this.claimAgain ? REST_MILLISECONDS : this.options.pollMilliseconds,
          () => this.claimSoon(),
        );
        this.claimAgain = false;
      }
    });
  }

  private claimAfter(milliseconds: number): void {
    if (this.mode !== 'running') {
      return;
    }
    if (this.claiming) {
      this.claimAgain = true;
      return;
    }
    this.cancelClaim();
    this.cancelClaim = this.options.clock.after(milliseconds, () => this.claimSoon());
  }

  private async poll(): Promise<void> {
    await Promise.all([this.claim(), this.look()]);
  }

  /** Wakes those whose release was changed by somebody else, and all where the platform has ordered something. */
  private async look(): Promise<void> {
    const drivers = [...this.drivers.values()];
    if (drivers.length === 0) {
      return;
    }
    try {
      const { revisions, controls } = await this.options.store.news(this.driving());
      const ordered = this.controls !== controls;
      this.controls = controls;
      for (const driver of drivers) {
        if (ordered) {
          driver.wake();
        } else {
          driver.noticed(revisions.get(driver.releaseId));
        }
      }
    } catch (error) {
      this.options.onError('(look)', error);
    }
  }

  private async claim(): Promise<void> {
    const { store, holder, leaseMilliseconds, maxReleases, onError } = this.options;
    const working = [...this.drivers.values()].filter(driver => driver.isWorking()).length;
    const limit = maxReleases - working;
    if (limit <= 0) {
      return;
    }
    try {
      const leases = await store.claim({
        holder,
        leaseMilliseconds,
        limit,
        exclude: this.driving(),
      });
      leases.forEach(lease => this.drive(lease));
    } catch (error) {
      onError('(claim)', error);
    }
  }

  private drive(lease: Lease): void {
    const driver: ReleaseDriver = new ReleaseDriver(lease, this.options, () => this.forget(driver));
    this.drivers.set(lease.releaseId, driver);
    driver.wake();
  }

  /** The driver ended by itself: its work is done, or its claim was lost. */
  private forget(driver: ReleaseDriver): void {
    if (this.drivers.get(driver.releaseId) !== driver) {
      return;
    }
    this.drivers.delete(driver.releaseId);
    const { store, onError } = this.options;
    store
      .release([driver.currentLease()])
      .catch(error => onError(driver.releaseId, error))
      .finally(() => this.claimAfter(REST_MILLISECONDS));
  }

  private renewLater(): void {
    const { clock, leaseMilliseconds } = this.options;
    this.cancelRenew = clock.after(Math.floor(leaseMilliseconds / 3), () => {
      void this.renew().finally(() => this.mode === 'running' && this.renewLater());
    });
  }

  private async renew(): Promise<void> {
    const { store, leaseMilliseconds, onError } = this.options;
    const drivers = [...this.drivers.values()];
    if (drivers.length === 0) {
      return;
    }
    try {
      const renewed = await store.renew(
        drivers.map(driver => driver.currentLease()),
        leaseMilliseconds,
      );
      const byId = new Map(renewed.map(lease => [lease.releaseId, lease]));
      for (const driver of drivers) {
        const lease = byId.get(driver.releaseId);
        if (lease) {
          driver.renewed(lease);
        } else if (this.drivers.get(driver.releaseId) === driver) {
          this.drivers.delete(driver.releaseId);
          // Not awaited: an effect that is slow to end must not keep the others from being renewed.
          void driver.stop();
        }
      }
    } catch (error) {
      onError('(renew)', error);
    }
  }
}
