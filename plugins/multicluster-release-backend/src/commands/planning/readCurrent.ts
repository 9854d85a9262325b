import {
  ACTIVE_STATES,
  targetKey,
  type ContentRef,
  type TargetKey,
} from 'backstage-plugin-multicluster-release-common';
import type { Knex } from 'knex';
import { forwardPlan } from '../../decide/turn';
import type { CurrentRecord, ReleaseRun } from '../../decide/types';
import {
  currentRecords,
  findRunning,
  listReleases,
  loadRuns,
  type ReleaseRecord,
  type RunningRecord,
  type StartContext,
} from '../../store';

/** What a new release is compiled against. */
export interface CurrentState {
  /** What the record says runs on each target now. */
  records: Map<TargetKey, CurrentRecord>;
  /** What each will run once the releases ahead have ended as planned. */
  expected: Map<TargetKey, ContentRef | undefined>;
  /** The active release of the service that nobody waits for yet. */
  queuedBehind?: string;
  /** Whether what the plan was compiled against still holds; asked again in the transaction that makes the release. */
  holdsFor(context: StartContext): boolean;
}

export async function readCurrent(database: Knex, service: string): Promise<CurrentState> {
  const { items: active } = await listReleases(database, {
    services: [service],
    states: ACTIVE_STATES,
    limit: 500,
  });
  const runs = await loadRuns(
    database,
    active.map(({ id }) => id),
  );
  const running = await findRunning(database, service);
  const records = currentRecords(running);
  const expected = new Map([...records].map(([key, { content }]) => [key, content]));
  for (const { id } of [...active].reverse()) {
    const run = runs.get(id)?.run;
    if (run) {
      expectOutcome(expected, run);
    }
  }
  const queuedBehind = lastInQueue(active);
  const planned = new Set(
    [...runs.values()].flatMap(({ run }) => forwardPlan(run).targets.map(({ key }) => key)),
  );
  const fingerprint = fingerprintOf(running, queuedBehind, planned);
  return {
    records,
    expected,
    queuedBehind,
    holdsFor: context =>
      fingerprintOf(context.running, context.queuedBehind, planned) === fingerprint,
  };
}

/** What a release that has not ended should leave behind. */
function expectOutcome(expected: CurrentState['expected'], run: ReleaseRun): void {
  if (run.aborted) {
    return;
  }
  for (const target of forwardPlan(run).targets) {
    expected.set(target.key, run.rollback ? target.from : target.to);
  }
}

function lastInQueue(active: ReleaseRecord[]): string | undefined {
  const awaited = new Set(active.map(({ queuedBehind }) => queuedBehind));
  return active.find(({ id }) => !awaited.has(id))?.id;
}

/**
 * What the service runs, and the release to wait for. Targets of releases that
 * have not ended are left out: those move all the time, towards what is expected.
 */
function fingerprintOf(
  running: RunningRecord[],
  queuedBehind: string | undefined,
  planned: ReadonlySet<TargetKey>,
): string {
  const facts = running
    .filter(record => !planned.has(targetKey(record)))
    .map(record => `${targetKey(record)}=${record.digest ?? ''}`)
    .sort();
  return JSON.stringify([queuedBehind ?? '', facts]);
}
