/*
 * The one way in which a changed run reaches its rows. Only rows that differ are
 * written, with one statement per table (more only where a statement would have
 * too many parameters). The caller holds the locks that loadRun takes.
 */
import { FINAL_STATES, isFinalRelease } from 'backstage-plugin-multicluster-release-common';
import type { Knex } from 'knex';
import type {
  HoldRequest,
  MeasurementToWrite,
  ReleaseRun,
  RunEvent,
  TargetRun,
} from '../../../decide/types';
import { leaseNow } from '../../dialect';
import { sameJson } from '../../json';
import { runEvents } from '../../rows/eventRow';
import { headOf, runColumns } from '../../rows/releaseRow';
import type { Lease, LoadedRun } from '../../types';
import { appendEvents } from '../events/appendEvents';
import { appendMeasurements } from '../measurements/appendMeasurements';
import { placeHold } from '../holds/placeHold';
import { insertPlans } from '../plans/insertPlans';
import { recordRunning } from '../running/recordRunning';
import { supersedePendingTargets } from './supersedePendingTargets';
import { changedTargets, upsertTargets } from './upsertTargets';

export interface RunWrite {
  before: LoadedRun;
  run: ReleaseRun;
  events: RunEvent[];
  measurements?: MeasurementToWrite[];
  hold?: HoldRequest;
  now: number;
  /** Write only while this lease holds. */
  lease?: Lease;
}

/** `written` raises the revision by one; `claimLost` writes nothing. */
export type WriteResult = 'written' | 'unchanged' | 'claimLost';

export async function writeRun(tx: Knex.Transaction, write: RunWrite): Promise<WriteResult> {
  const { before, run, events, measurements = [], hold, now } = write;
  const targets = changedTargets(before.run, run);
  const plans = run.plans.filter(plan => !(plan.number in before.run.sequences));
  const nothing =
    targets.length === 0 &&
    plans.length === 0 &&
    events.length === 0 &&
    measurements.length === 0 &&
    hold === undefined &&
    sameHead(before.run, run);
  if (nothing) {
    return 'unchanged';
  }
  if (!(await updateRelease(tx, write))) {
    return 'claimLost';
  }
  if (run.lastSequence !== before.run.lastSequence) {
    await tx('services').where('service', run.service).update({ last_sequence: run.lastSequence });
  }
  await insertPlans(tx, run, plans, now);
  await upsertTargets(tx, before.run, run, targets);
  await recordRunning(tx, { before: before.run, run, changed: targets, now });
  await appendEvents(tx, runEvents(run, events, now));
  await appendMeasurements(tx, run.id, measurements);
  if (hold) {
    await placeHold(tx, {
      ...hold,
      service: run.service,
      releaseId: run.id,
      now,
    });
  }
  await followUp(tx, { before: before.run, run, targets, now });
  return 'written';
}

function sameHead(before: ReleaseRun, run: ReleaseRun): boolean {
  return (
    before.lastSequence === run.lastSequence &&
    before.queuedBehind === run.queuedBehind &&
    sameJson(headOf(before), headOf(run))
  );
}

/** First of all writes, so that a lost claim is seen before anything else is written. */
async function updateRelease(tx: Knex.Transaction, write: RunWrite): Promise<boolean> {
  const { before, run, lease, now } = write;
  const update = tx('releases')
    .where('id', run.id)
    .update({ ...runColumns(run), revision: before.revision + 1 });
  if (lease) {
    update.where({ lease_holder: lease.holder, lease_ticket: lease.ticket }).where(
      'lease_until',
      '>',
      leaseNow(tx, () => now),
    );
  }
  return (await update) === 1;
}

interface Turned {
  before: ReleaseRun;
  run: ReleaseRun;
  targets: TargetRun[];
  now: number;
}

/** What a release's turn means for the service's other releases. */
async function followUp(tx: Knex.Transaction, turned: Turned): Promise<void> {
  const { before, run, targets, now } = turned;
  const touchedBefore = new Set(
    before.targets.filter(target => target.touched).map(target => target.key),
  );
  const owned = targets.filter(target => target.touched && !touchedBefore.has(target.key));
  await supersedePendingTargets(tx, {
    service: run.service,
    releaseId: run.id,
    keys: owned.map(target => target.key),
    now,
  });
  const ended = isFinalRelease(run.state) && !isFinalRelease(before.state);
  if (ended && (run.state === 'Failed' || run.state === 'Aborted')) {
    // It has not put that release back, which so can be sent back again.
    await tx('releases')
      .where({ service: run.service, rolled_back_by: run.id })
      .update({ rolled_back_by: null, revision: tx.raw('revision + 1') });
  }
  if (ended) {
    await tx('releases')
      .where('queued_behind', run.id)
      // Who was stopped while it waited is still behind this one, and has nothing left to do.
      .whereNotIn('state', FINAL_STATES)
      .update({ needs_work: true });
  }
  if (ended && run.queuedBehind !== undefined) {
    // Who waited for this one now waits for whom this one had waited for.
    await tx('releases')
      .where('queued_behind', run.id)
      .update({
        queued_behind: run.queuedBehind,
        revision: tx.raw('revision + 1'),
      });
  }
}
