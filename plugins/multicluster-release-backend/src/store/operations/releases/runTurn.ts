import {
  isFinalRelease,
  type Plan,
  type ReleaseSpec,
  type ReleaseState,
} from 'backstage-plugin-multicluster-release-common';
import type { Knex } from 'knex';
import type { LookUpFleet } from '../../../controls';
import type {
  Controls,
  Decision,
  FleetUntrusted,
  Inputs,
  ReleaseRun,
  Reselected,
} from '../../../decide/types';
import { fromJson } from '../../json';
import type { Clock, Lease, LoadedRun, SettleResult } from '../../types';
import { currentRecords } from '../../currentRecords';
import { readControls } from '../controls/readControls';
import { listHolds } from '../holds/listHolds';
import { findRunning } from '../running/findRunning';
import { REMOVAL } from './findLeaving';
import { loadRun } from './loadRun';
import { settleRun } from './settleRun';

export interface TurnOptions {
  lease: Lease;
  clock: Clock;
  fleet: LookUpFleet;
  /** Asked outside of the transaction: it may read contents. */
  reselect: Reselect;
  /** Must be pure and quick: the service is locked while it thinks. */
  turn(loaded: LoadedRun, orders: Pick<Inputs, 'queue' | 'controls'>): Decision;
}

/** Looks at the fleet for a queued release whose turn has come. */
export type Reselect = (queued: QueuedPlan) => Promise<Reselected | FleetUntrusted>;

export interface QueuedPlan {
  spec: ReleaseSpec;
  plan: Plan;
}

export interface TurnResult {
  result: SettleResult;
  decision?: Decision;
  /** After the turn. */
  revision?: number;
}

/**
 * One engine turn in one transaction: load under the lease, decide, write what
 * differs. When the turn of a queued release comes, a first transaction finds
 * that out and writes nothing; the fleet is looked at between the two.
 */
export async function runTurn(database: Knex, options: TurnOptions): Promise<TurnResult> {
  const first = await tryTurn(database, options);
  if ('result' in first) {
    return first;
  }
  const second = await tryTurn(database, options, await options.reselect(first));
  if (!('result' in second)) {
    throw new Error(`Release ${options.lease.releaseId}: its fleet was not looked at`);
  }
  return second;
}

async function tryTurn(
  database: Knex,
  { lease, clock, fleet, turn }: TurnOptions,
  reselected?: Reselected | FleetUntrusted,
): Promise<TurnResult | QueuedPlan> {
  return database.transaction(async tx => {
    const before = await loadRun(tx, lease.releaseId, { lease, clock });
    if (before === undefined || before === 'claimLost') {
      return { result: 'claimLost' };
    }
    const queue = await readQueue(tx, before.run);
    if (queue?.aheadEnded && reselected === undefined && leadsForward(before.run)) {
      return { spec: await readSpec(tx, before.run), plan: before.run.plans[0] };
    }
    const decision = turn(before, {
      queue: queue && { ...queue, reselected },
      controls: await readOrders(tx, before.run, fleet),
    });
    const { run, events, measurements, hold } = decision;
    const result = await settleRun(tx, {
      lease,
      before,
      run,
      events,
      measurements,
      hold,
      now: clock(),
    });
    if (result === 'claimLost') {
      return { result };
    }
    const revision = result === 'settled' ? before.revision + 1 : before.revision;
    return { result, decision, revision };
  });
}

function readOrders(tx: Knex.Transaction, run: ReleaseRun, fleet: LookUpFleet): Promise<Controls> {
  const names = [...new Set(run.targets.map(({ cluster }) => cluster))];
  const dependsOn = run.plans[0].rules.dependsOn ?? [];
  return readControls(tx, {
    service: run.service,
    dependsOn: dependsOn.map(({ service }) => service),
    ...fleet(names),
  });
}

/** Only for a queued release: whether its turn has come, and what runs by then. */
async function readQueue(tx: Knex.Transaction, run: ReleaseRun): Promise<Inputs['queue']> {
  if (run.queuedBehind === undefined) {
    return undefined;
  }
  const ahead = await tx('releases')
    .select<{ state: ReleaseState }[]>('state')
    .where('id', run.queuedBehind);
  const aheadEnded = ahead.every(({ state }) => isFinalRelease(state));
  if (!aheadEnded) {
    return { aheadEnded, current: new Map() };
  }
  const { items: holds } = await listHolds(tx, {
    services: [run.service],
    version: run.targetVersion,
    limit: 1,
  });
  return {
    aheadEnded,
    current: currentRecords(await findRunning(tx, run.service)),
    removal: await isRemoval(tx, run),
    hold: holds[0]?.reason,
  };
}

/** Ways back and removals are for the clusters that a person chose, and what is being ended needs none. */
export function leadsForward({ plans, aborted, superseded, rollback }: ReleaseRun): boolean {
  return plans[0].kind === 'forward' && !aborted && !superseded && !rollback;
}

async function readSpec(tx: Knex.Transaction, { id }: ReleaseRun): Promise<ReleaseSpec> {
  const row = await tx('releases').select<{ spec: string }[]>('spec').where({ id });
  return fromJson<ReleaseSpec>(row[0].spec);
}

async function isRemoval(tx: Knex.Transaction, { id }: ReleaseRun): Promise<boolean | undefined> {
  const found = await tx('releases').select('id').where({ id, strategy: REMOVAL });
  return found.length > 0 || undefined;
}
