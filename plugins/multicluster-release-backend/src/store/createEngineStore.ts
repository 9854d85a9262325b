import type { Knex } from 'knex';
import type { LookUpFleet } from '../controls';
import { controlsWord } from './operations/controls/controlsWord';
import { claimReleases } from './operations/leases/claimReleases';
import type { ClaimOptions } from './operations/leases/claimReleases';
import { releaseLeases } from './operations/leases/releaseLeases';
import { renewLeases } from './operations/leases/renewLeases';
import { readRevisions } from './operations/releases/readRevisions';
import { runTurn } from './operations/releases/runTurn';
import type { Reselect, TurnOptions, TurnResult } from './operations/releases/runTurn';
import type { Clock, Lease } from './types';

/** What the engine needs of the database, over the operations. */
export interface DatabaseEngineStore {
  claim(options: Omit<ClaimOptions, 'clock' | 'exclude'> & { exclude: string[] }): Promise<Lease[]>;
  renew(leases: Lease[], leaseMilliseconds: number): Promise<Lease[]>;
  release(leases: Lease[]): Promise<void>;
  turn(lease: Lease, turn: TurnOptions['turn']): Promise<TurnResult>;
  news(releaseIds: string[]): Promise<{ revisions: Map<string, number>; controls: string }>;
}

export function createEngineStore(
  database: Knex,
  clock: Clock,
  { fleet, reselect }: { fleet: LookUpFleet; reselect: Reselect },
): DatabaseEngineStore {
  return {
    claim: options => claimReleases(database, { ...options, clock }),
    renew: (leases, leaseMilliseconds) =>
      renewLeases(database, leases, { leaseMilliseconds, clock }),
    release: leases => releaseLeases(database, leases),
    turn: (lease, turn) => runTurn(database, { lease, clock, fleet, reselect, turn }),
    news: async releaseIds => ({
      revisions: await readRevisions(database, releaseIds),
      controls: await controlsWord(database),
    }),
  };
}
