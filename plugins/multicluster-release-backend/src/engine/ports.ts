import type { Hands, Measurer } from 'backstage-plugin-multicluster-release-node';
import type { Decision, Inputs, ReleaseRun } from '../decide';
import type { Lease, LoadedRun, SettleResult } from '../store/types';

/** What the engine needs of the database; filled by store/, and by the simulation's. */
export interface EngineStore {
  claim(options: {
    holder: string;
    leaseMilliseconds: number;
    limit: number;
    exclude: string[];
  }): Promise<Lease[]>;
  /** Answers the renewed leases; one that is missing was lost. */
  renew(leases: Lease[], leaseMilliseconds: number): Promise<Lease[]>;
  release(leases: Lease[]): Promise<void>;
  /**
   * One transaction: loads the run under the lease, lets `turn` decide, writes
   * what changed. `turn` may be called again where the transaction is retried.
   * When a release ends, the one that is queued behind it has work again.
   */
  turn(
    lease: Lease,
    turn: (loaded: LoadedRun, orders: Orders) => Decision,
  ): Promise<{ result: SettleResult; decision?: Decision; revision?: number }>;
  /** Asked at every poll, so it must be cheap however many releases wait. */
  news(releaseIds: string[]): Promise<News>;
}

/** What a turn reads beside the release, in its own transaction. */
export type Orders = Pick<Inputs, 'queue' | 'controls'>;

/** What tells a holder that somebody else changed something. */
export interface News {
  /** Current revision of each release; one that is missing is gone. */
  revisions: ReadonlyMap<string, number>;
  /** Changes whenever what the platform's people order does. */
  controls: string;
}

export interface EngineClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls back once after the delay; the answer cancels it. */
  after(milliseconds: number, callback: () => void): () => void;
}

export interface EngineOptions {
  store: EngineStore;
  hands: Hands;
  measurer: Measurer;
  clock: EngineClock;
  /** Identifies this replica. */
  holder: string;
  leaseMilliseconds: number;
  /** How often to look for unclaimed releases, and for changes by others on claimed ones. */
  pollMilliseconds: number;
  /** How many are worked on at a time. One that waits, be it for months, keeps no other from being claimed. */
  maxReleases: number;
  timeScale: number;
  freshMilliseconds: number;
  /** Told after every settled turn that changed something a viewer sees. */
  onChange: (change: {
    releaseId: string;
    service: string;
    revision: number;
    run: ReleaseRun;
  }) => void;
  onError: (releaseId: string, error: unknown) => void;
}
