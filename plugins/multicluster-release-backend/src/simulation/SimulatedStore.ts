import type { Decision } from '../decide';
import type { EngineStore, News, Orders } from '../engine/ports';
import type { Lease, LoadedRun, SettleResult } from '../store/types';
import type { Random } from './random';
import type { ReplicaClock } from './ReplicaClock';
import type { FleetSight, SimulatedDatabase } from './SimulatedDatabase';

/** Messages of the simulated network; any other error is a fault of ours. */
export const NETWORK_ERRORS = ['connection to the database was reset', 'acknowledgement was lost'];

/** One replica's connection: slow, and now and then it loses the answer of a commit or fails before it. */
export class SimulatedStore implements EngineStore {
  /** Chance that a statement fails, and that its answer is lost. */
  errors = 0;
  /** Longest way of a statement or of its answer, in milliseconds. */
  slowness = 10;

  constructor(
    private readonly database: SimulatedDatabase,
    private readonly clock: ReplicaClock,
    private readonly random: Random,
    private readonly sight: FleetSight,
  ) {}

  async claim(options: {
    holder: string;
    leaseMilliseconds: number;
    limit: number;
    exclude: string[];
  }): Promise<Lease[]> {
    const sent = this.clock.now();
    await this.travel();
    const now = this.clock.now();
    const free = [...this.database.rows.values()].filter(
      ({ run, until }) => run.needsWork && until <= now && !options.exclude.includes(run.id),
    );
    const leases = free.slice(0, options.limit).map(row => {
      row.ticket += 1;
      row.holder = options.holder;
      row.until = now + options.leaseMilliseconds;
      const until = sent + options.leaseMilliseconds;
      return { releaseId: row.run.id, holder: options.holder, ticket: row.ticket, until };
    });
    await this.answer();
    return leases;
  }

  async renew(leases: Lease[], leaseMilliseconds: number): Promise<Lease[]> {
    const sent = this.clock.now();
    await this.travel();
    const renewed = leases.filter(lease => {
      const row = this.database.row(lease.releaseId);
      if (!this.database.holdsLease(row, lease)) {
        return false;
      }
      row.until = this.clock.now() + leaseMilliseconds;
      return true;
    });
    await this.answer();
    return renewed.map(lease => ({ ...lease, until: sent + leaseMilliseconds }));
  }

  async release(leases: Lease[]): Promise<void> {
    await this.travel();
    for (const lease of leases) {
      const row = this.database.row(lease.releaseId);
      if (this.database.holdsLease(row, lease)) {
        row.until = 0;
      }
    }
    await this.answer();
  }

  async turn(
    lease: Lease,
    turn: (loaded: LoadedRun, orders: Orders) => Decision,
  ): Promise<{ result: SettleResult; decision?: Decision; revision?: number }> {
    await this.travel();
    const row = this.database.row(lease.releaseId);
    if (!this.database.holdsLease(row, lease)) {
      return { result: 'claimLost' };
    }
    const { database } = this;
    const loaded = { run: database.load(row), revision: row.revision };
    const decision = turn(loaded, database.ordersFor(row, this.sight));
    if (this.random.chance(this.errors)) {
      throw new Error(NETWORK_ERRORS[0]);
    }
    const written = database.write(row, decision, 'turn');
    await this.answer();
    return { result: written ? 'settled' : 'unchanged', decision, revision: row.revision };
  }

  async news(releaseIds: string[]): Promise<News> {
    await this.travel();
    const revisions = releaseIds.map(id => [id, this.database.row(id).revision] as const);
    await this.answer();
    return { revisions: new Map(revisions), controls: this.database.controls.word() };
  }

  private async travel(): Promise<void> {
    await this.clock.delay(this.random.between(1, this.slowness));
    if (this.random.chance(this.errors)) {
      throw new Error(NETWORK_ERRORS[0]);
    }
  }

  /** The commit is done; its acknowledgement may be late or lost. */
  private async answer(): Promise<void> {
    await this.clock.delay(this.random.between(1, this.slowness));
    if (this.random.chance(this.errors)) {
      throw new Error(NETWORK_ERRORS[1]);
    }
  }
}
