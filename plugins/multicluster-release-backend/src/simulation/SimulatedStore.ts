import type { Decision, Inputs, ReleaseRun } from '../decide';
import type { EngineStore } from '../engine';
import type { Lease, LoadedRun, SettleResult } from '../store/types';
import type { Random } from './random';
import type { ReplicaClock, SimulatedTime } from './SimulatedTime';

interface Row {
  run: ReleaseRun;
  revision: number;
  holder?: string;
  ticket: number;
  until: number;
}

/** One database for all replicas. Everything in it is JSON, as in rows. */
export class SimulatedDatabase {
  readonly rows = new Map<string, Row>();
  /** Called after every commit, for the checkers. */
  onCommit: (before: ReleaseRun, after: ReleaseRun) => void = () => {};

  constructor(private readonly time: SimulatedTime) {}

  insert(run: ReleaseRun): void {
    this.rows.set(run.id, { run: structuredClone(run), revision: 1, ticket: 0, until: 0 });
  }

  /** A person's order: one transaction, no ticket. */
  change(id: string, change: (run: ReleaseRun) => void): void {
    const row = this.row(id);
    const before = structuredClone(row.run);
    change(row.run);
    row.revision += 1;
    this.onCommit(before, row.run);
  }

  row(id: string): Row {
    const row = this.rows.get(id);
    if (!row) {
      throw new Error(`no release ${id}`);
    }
    return row;
  }

  holds(row: Row, lease: Lease): boolean {
    return (
      row.holder === lease.holder && row.ticket === lease.ticket && row.until > this.time.now()
    );
  }
}

/** One replica's connection: slow, and now and then it loses the answer of a commit or fails before it. */
export class SimulatedStore implements EngineStore {
  errors = 0;

  constructor(
    private readonly database: SimulatedDatabase,
    private readonly clock: ReplicaClock,
    private readonly random: Random,
  ) {}

  async claim(options: {
    holder: string;
    leaseMilliseconds: number;
    limit: number;
    exclude: string[];
  }): Promise<Lease[]> {
    const sent = this.clock.now();
    await this.travel();
    const free = [...this.database.rows.values()].filter(
      row =>
        row.run.needsWork && row.until <= this.clock.now() && !options.exclude.includes(row.run.id),
    );
    const leases = free.slice(0, options.limit).map(row => {
      row.ticket += 1;
      row.holder = options.holder;
      row.until = this.clock.now() + options.leaseMilliseconds;
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
      if (!this.database.holds(row, lease)) {
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
      if (this.database.holds(row, lease)) {
        row.until = 0;
      }
    }
    await this.answer();
  }

  async turn(
    lease: Lease,
    turn: (loaded: LoadedRun, queue: Inputs['queue']) => Decision,
  ): Promise<{ result: SettleResult; decision?: Decision; revision?: number }> {
    await this.travel();
    const row = this.database.row(lease.releaseId);
    if (!this.database.holds(row, lease)) {
      return { result: 'claimLost' };
    }
    const before = structuredClone(row.run);
    const decision = turn({ run: structuredClone(row.run), revision: row.revision }, undefined);
    const changed = JSON.stringify(before) !== JSON.stringify(decision.run);
    if (changed) {
      row.run = JSON.parse(JSON.stringify(decision.run));
      row.revision += 1;
      this.database.onCommit(before, row.run);
    }
    await this.answer();
    return { result: changed ? 'settled' : 'unchanged', decision, revision: row.revision };
  }

  private async travel(): Promise<void> {
    await this.clock.delay(this.random.between(1, 10));
    if (this.random.next() < this.errors) {
      throw new Error('connection to the database was reset');
    }
  }

  /** The commit is done; its acknowledgement may be late or lost. */
  private async answer(): Promise<void> {
    await this.clock.delay(this.random.between(1, 10));
    if (this.random.next() < this.errors) {
      throw new Error('the acknowledgement was lost');
    }
  }
}
