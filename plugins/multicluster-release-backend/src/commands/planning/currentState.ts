import {
  targetKey,
  type ContentRef,
  type TargetKey,
} from 'backstage-plugin-multicluster-release-common';
import { outcomeOf } from '../../decide/outcome';
import { forwardPlan } from '../../decide/turn';
import type { CurrentRecord, ReleaseRun } from '../../decide/types';
import type { RunningRecord, StartContext } from '../../store';
import { currentRecords } from '../../store/currentRecords';

/** What a new release is compiled against. */
export interface CurrentState {
  /** What the record says runs on each target now. */
  records: Map<TargetKey, CurrentRecord>;
  /** What each will run once the releases ahead have ended as planned. */
  expected: Map<TargetKey, ContentRef | undefined>;
  /** The active release of the service that nobody waits for yet. */
  queuedBehind?: string;
  /** Its version. */
  versionAhead?: string;
  /** Sequence of what was sent to a target last, where that was never proven there and no active release is to go there. */
  unproven: Map<TargetKey, number>;
  /** Whether what the plan was compiled against still holds; asked again in the transaction that makes the release. */
  holdsFor(context: StartContext): boolean;
}

export interface CurrentInput {
  running: RunningRecord[];
  /** Releases of the service that have not ended, newest first. */
  active: Pick<ReleaseRun, 'id' | 'queuedBehind'>[];
  /** Their runs, in the same order; one that is gone by now is left out. */
  runs: ReleaseRun[];
}

/** Pure. */
export function currentState({ running, active, runs }: CurrentInput): CurrentState {
  const records = currentRecords(running);
  const expected = new Map([...records].map(([key, { content }]) => [key, content]));
  for (const run of [...runs].reverse()) {
    outcomeOf(run).forEach((content, key) => expected.set(key, content));
  }
  const queuedBehind = lastInQueue(active);
  const planned = new Set(runs.flatMap(run => forwardPlan(run).targets.map(({ key }) => key)));
  const fingerprint = fingerprintOf(running, queuedBehind, planned);
  return {
    records,
    expected,
    queuedBehind,
    versionAhead: runs.find(({ id }) => id === queuedBehind)?.targetVersion,
    unproven: new Map(
      running.flatMap(record => unprovenSequence(record).filter(([key]) => !planned.has(key))),
    ),
    holdsFor: context =>
      fingerprintOf(context.running, context.queuedBehind, planned) === fingerprint,
  };
}

function unprovenSequence(record: RunningRecord): [TargetKey, number][] {
  const { wantedSequence, observedSequence } = record;
  return wantedSequence === undefined || wantedSequence === observedSequence
    ? []
    : [[targetKey(record), wantedSequence]];
}

function lastInQueue(active: CurrentInput['active']): string | undefined {
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
