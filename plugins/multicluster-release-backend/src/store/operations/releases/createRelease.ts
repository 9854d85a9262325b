import { NotFoundError } from '@backstage/errors';
import { FINAL_STATES } from 'backstage-plugin-multicluster-release-common';
import type { Knex } from 'knex';
import type { ReleaseRun } from '../../../decide/types';
import { lockRows } from '../../dialect';
import { toJson } from '../../json';
import { plainText } from '../../plainText';
import { runEvents } from '../../rows/eventRow';
import { runColumns } from '../../rows/releaseRow';
import type { CreateReleaseResult, NewRelease, StartContext } from '../../types';
import { appendEvents } from '../events/appendEvents';
import { activeHolds } from '../holds/activeHolds';
import { liftHolds } from '../holds/liftHolds';
import { placeHold } from '../holds/placeHold';
import { takeKey } from '../idempotency/idempotencyKeys';
import { insertPlans } from '../plans/insertPlans';
import { findRunning } from '../running/findRunning';
import { recordRunning } from '../running/recordRunning';
import { findLeaving } from './findLeaving';
import { supersedeActive } from './supersedeActive';
import { upsertTargets } from './upsertTargets';

/**
 * Makes a release with its plan, targets and events in one transaction. Where
 * the service has an active release, the new one queues behind the last of them.
 * @throws ConflictError when the idempotency key was used for another body.
 * @throws NotFoundError when the service has no release `rolledBackFrom`.
 */
export async function createRelease(
  database: Knex,
  release: NewRelease,
): Promise<CreateReleaseResult> {
  const { idempotency, id, service, now } = release;
  return database.transaction(async tx => {
    const earlier = idempotency && (await takeKey(tx, idempotency, id, now));
    if (earlier !== undefined) {
      return { result: 'repeated', id: earlier };
    }
    const sequence = await takeSequence(tx, service, now);
    const context: StartContext = {
      sequence,
      queuedBehind: await lastInQueue(tx, service),
      running: await findRunning(tx, service),
      leaving: await findLeaving(tx, service),
      holds: await activeHolds(tx, service),
    };
    const { run, events, liftHolds: lifted } = release.begin(context);
    await insertRelease(tx, release, {
      ...run,
      queuedBehind: context.queuedBehind,
    });
    await insertPlans(tx, run, run.plans, now);
    if (release.plan.kind === 'forward' && release.plan.rules.onNewer === 'Supersede') {
      await supersedeActive(tx, { service, by: release.startedBy, newer: id, now });
    }
    await upsertTargets(tx, undefined, run, run.targets);
    await recordRunning(tx, {
      before: { ...run, targets: [] },
      run,
      changed: run.targets,
      now,
    });
    await appendEvents(tx, runEvents(run, events, now));
    await nameInRolledBack(tx, release);
    await liftHolds(tx, service, lifted, now);
    if (release.hold) {
      await placeHold(tx, {
        ...release.hold,
        service,
        releaseId: release.rolledBackFrom ?? id,
        now,
      });
    }
    return { result: 'created', id };
  });
}

/** Locks the service, making its row where it has none, and answers its next sequence. */
async function takeSequence(tx: Knex.Transaction, service: string, now: number): Promise<number> {
  await tx('services').insert({ service, created_at: now }).onConflict('service').ignore();
  const query = tx('services')
    .select<{ last_sequence: number }[]>('last_sequence')
    .where({ service });
  const [{ last_sequence }] = await lockRows(tx, query);
  await tx('services')
    .where({ service })
    .update({ last_sequence: last_sequence + 1 });
  return last_sequence + 1;
}

/**
 * The active release that nobody waits for. By links and not by time, because
 * the clocks of several backends differ.
 */
async function lastInQueue(tx: Knex.Transaction, service: string): Promise<string | undefined> {
  const active = await tx('releases')
    .select<{ id: string; queued_behind: string | null }[]>('id', 'queued_behind')
    .where({ service })
    .whereNotIn('state', FINAL_STATES)
    .orderBy(['created_at', 'id']);
  const awaited = new Set(active.map(row => row.queued_behind));
  return active.filter(row => !awaited.has(row.id)).at(-1)?.id;
}

async function insertRelease(
  tx: Knex.Transaction,
  release: NewRelease,
  run: ReleaseRun,
): Promise<void> {
  const fromVersions = release.plan.targets.flatMap(({ from }) => (from ? [from.version] : []));
  await tx('releases').insert({
    id: release.id,
    service: release.service,
    ...runColumns(run),
    strategy: release.strategy ?? release.spec.strategy.type,
    from_versions: toJson([...new Set(fromVersions)]),
    spec: toJson(release.spec),
    started_by: release.startedBy,
    on_behalf_of: release.onBehalfOf ?? null,
    link: release.link ?? null,
    reason: release.reason === undefined ? null : plainText(release.reason),
    rolled_back_from: release.rolledBackFrom ?? null,
    created_at: release.now,
    revision: 1,
  });
}

async function nameInRolledBack(tx: Knex.Transaction, release: NewRelease): Promise<void> {
  const { rolledBackFrom, id } = release;
  if (rolledBackFrom === undefined) {
    return;
  }
  // The newest attempt counts: an earlier one may have failed.
  const named = await tx('releases')
    .where({ id: rolledBackFrom, service: release.service })
    .update({ rolled_back_by: id, revision: tx.raw('revision + 1') });
  if (named === 0) {
    throw new NotFoundError(
      `Release ${rolledBackFrom} of ${release.service} does not exist; choose one from the service's history`,
    );
  }
}
