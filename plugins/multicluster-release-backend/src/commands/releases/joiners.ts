/*
 * Which clusters catch up with the newest release of a service, and by which
 * release, without the database. Pure.
 */
import {
  compile,
  isFinalRelease,
  targetKey,
  type ContentRef,
  type FleetCluster,
  type FleetNow,
  type Plan,
  type PlanTarget,
  type ReleaseSpec,
  type SelectedTarget,
  type TargetKey,
} from 'backstage-plugin-multicluster-release-common';
import { createRun } from '../../decide/createRun';
import { stateEvents } from '../../decide/move';
import { sha256 } from '../../decide/sha256';
import type { RunEvent, TargetRun } from '../../decide/types';
import type { NewRelease, ReleaseRecord, RunningRecord } from '../../store';
import { currentRecords } from '../../store/currentRecords';
import { OnHoldError, RecordMovedError } from '../errors';

/** Who is not listed now does not join now. */
export function listedOnly(targets: PlanTarget[], clusters: FleetCluster[]): FleetNow {
  return { clusters, left: new Set(targets.map(({ cluster }) => cluster)) };
}

/** Selected, and by our record without anything of the service. */
export function withoutRecord(
  selected: SelectedTarget[],
  running: RunningRecord[],
): SelectedTarget[] {
  const known = currentRecords(running);
  return selected.filter(({ key }) => !known.has(key));
}

/**
 * New to the version: where that was skipped, put back or taken off, a person or
 * the policy has decided so.
 *
 * @param had - what the newest releases, which brought the version, made of these clusters
 */
export function undecided(missing: SelectedTarget[], had: TargetRun[]): SelectedTarget[] {
  // Who was away from the fleet then comes back as a joiner.
  const decided = new Set(
    had.filter(({ left, touched, skip }) => touched || skip || !left).map(targetKey),
  );
  return missing.filter(({ key }) => !decided.has(key));
}

/** Whether clusters that joined since may follow this newest release of a service. */
export function leadsJoiners({
  state,
  spec,
  strategy,
  needsWork,
}: Pick<ReleaseRecord, 'state' | 'spec' | 'strategy' | 'needsWork'>): boolean {
  return (
    isFinalRelease(state) &&
    (state === 'Succeeded' || state === 'CompletedWithPending') &&
    spec.policy.joining === 'CatchUp' &&
    strategy === spec.strategy.type &&
    (!needsWork || state === 'CompletedWithPending')
  );
}

/** All at once; a joiner that fails asks a person, and one that is away is no reason to wait. */
function followUpSpec(spec: ReleaseSpec): ReleaseSpec {
  return {
    ...spec,
    strategy: {
      type: 'RollingUpdate',
      mode: 'Parallel',
      batches: { by: 'groups' },
      stabilizeMilliseconds: 0,
    },
    policy: {
      ...spec.policy,
      onFailure: 'Pause',
      offline: { ...spec.policy.offline, policy: 'Skip' },
    },
  };
}

export interface FollowUpInput {
  newest: Pick<ReleaseRecord, 'id' | 'spec'>;
  startedBy: string;
  joiners: SelectedTarget[];
  contents: ReadonlyMap<TargetKey, ContentRef>;
  id: string;
  now: number;
}

/**
 * Undefined where it cannot be planned. Its `begin` throws RecordMovedError where
 * a release or a record came meanwhile, and OnHoldError.
 */
export function followUp({
  newest,
  startedBy,
  joiners,
  contents,
  id,
  now,
}: FollowUpInput): Pick<NewRelease, 'spec' | 'plan' | 'begin'> | undefined {
  const spec = followUpSpec(newest.spec);
  const { plan } = compile({
    spec,
    selection: { targets: joiners, excluded: [], findings: [] },
    contents,
    current: new Map(),
    sha256,
  });
  return (
    plan && {
      spec,
      plan,
      begin: ({ sequence, queuedBehind, running, holds }) => {
        const current = currentRecords(running);
        if (queuedBehind !== undefined || joiners.some(({ key }) => current.has(key))) {
          throw new RecordMovedError();
        }
        const hold = holds.find(({ version }) => version === plan.targetVersion);
        if (hold) {
          throw new OnHoldError(hold);
        }
        const acceptedRisks = new Map();
        const run = createRun({
          ...{ id, plan, sequence, current, acceptedRisks, startedBy, now },
        });
        return { run, events: [createdEvent(plan, newest), ...stateEvents(run)] };
      },
    }
  );
}

function createdEvent(plan: Plan, { id }: { id: string }): RunEvent {
  const clusters = plan.targets.map(({ cluster }) => cluster).join(', ');
  return {
    kind: 'release',
    code: 'ReleaseCreated',
    params: { version: plan.targetVersion, count: plan.targets.length, hash: plan.hash, after: id },
    message: `${clusters} joined the fleet and catches up with ${plan.targetVersion}`,
    actor: 'system',
  };
}
