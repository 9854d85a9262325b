import { isFinalRelease } from 'backstage-plugin-multicluster-release-common';
import type { ReleaseState } from 'backstage-plugin-multicluster-release-common';
import type { Knex } from 'knex';
import type { LookUpFleet } from '../../../controls';
import type { Controls, Decision, Inputs, ReleaseRun } from '../../../decide/types';
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
  /** Must be pure and quick: the service is locked while it thinks. */
  turn(loaded: LoadedRun, orders: Pick<Inputs, 'queue' | 'controls'>): Decision;
}

export interface TurnResult {
  result: SettleResult;
  decision?: Decision;
  /** After the turn. */
  revision?: number;
}

/** One engine turn in one transaction: load under the lease, decide, write what differs. */
export async function runTurn(
  database: Knex,
  { lease, clock, fleet, turn }: TurnOptions,
): Promise<TurnResult> {
  return database.transaction(async tx => {
    const before = await loadRun(tx, lease.releaseId, { lease, clock });
    if (before === undefined || before === 'claimLost') {
      return { result: 'claimLost' };
    }
    const queue = await readQueue(tx, before.run);
    const decision = turn(before, { queue, controls: await readOrders(tx, before.run, fleet) });
    const { run, events, hold } = decision;
    const result = await settleRun(tx, {
      lease,
      before,
      run,
      events,
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

async function isRemoval(tx: Knex.Transaction, { id }: ReleaseRun): Promise<boolean | undefined> {
  const found = await tx('releases').select('id').where({ id, strategy: REMOVAL });
  return found.length > 0 || undefined;
}
