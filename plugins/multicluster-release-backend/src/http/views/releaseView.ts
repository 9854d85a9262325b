import {
  isFinalRelease,
  type ActionName,
  type ActionState,
  type ReleaseCounts,
  type ReleaseState,
  type ReleaseView,
  type TargetHealth,
  type TargetState,
} from 'backstage-plugin-multicluster-release-common';
import { actionStates } from '../../commands/actions/allowed';
import type { ApprovingViewer } from '../../commands/actions/approving';
import { forwardPlan } from '../../decide/turn';
import type { ReleaseRun } from '../../decide/types';
import type { ReleaseRecord } from '../../store/types';
import { waitingView } from './waitingView';

type CountName = Exclude<keyof ReleaseCounts, 'total'>;

const COUNTED_AS: Record<TargetState, CountName> = {
  Pending: 'pending',
  Blocked: 'pending',
  Offline: 'pending',
  Skipped: 'pending',
  RollbackPending: 'pending',
  Applying: 'running',
  Verifying: 'running',
  Soaking: 'running',
  RollingBack: 'running',
  Done: 'done',
  Unchanged: 'done',
  Failed: 'failed',
  RollbackImpossible: 'failed',
  RolledBack: 'rolledBack',
};

export interface ReleaseViewInput {
  /** Of one reading with `run`. */
  record: ReleaseRecord;
  run: ReleaseRun;
  /** Actions that this viewer has no permission for, and what to say of it. */
  denied: Partial<Record<ActionName, ActionState>>;
  /** Undefined where nobody is asked for an approval. */
  viewer?: ApprovingViewer;
  timeScale: number;
}

/** A release as this viewer may see and act on it. Pure. */
export function releaseView({
  record,
  run,
  denied,
  viewer,
  timeScale,
}: ReleaseViewInput): ReleaseView {
  const { id, service, strategy, targetVersion, fromVersions, plan, revision } = record;
  return {
    id,
    service,
    strategy,
    targetVersion,
    fromVersions,
    state: run.state,
    health: healthOf(record.targetHealth),
    waiting: run.waiting.map(waiting => waitingView(run, waiting)),
    stage: currentStage(run),
    counts: countTargets(record.targetStates, run.state),
    plan,
    rolledBackFrom: record.rolledBackFrom,
    rolledBackBy: record.rolledBackBy,
    startedBy: record.startedBy,
    onBehalfOf: record.onBehalfOf,
    link: record.link,
    reason: record.reason,
    createdAt: record.createdAt,
    finishedAt: record.finishedAt,
    revision,
    timeScale: timeScale === 1 ? undefined : timeScale,
    actions: {
      ...actionStates(run, {
        rolledBackBy: record.rolledBackBy,
        viewer,
        starters: startersOf(record),
      }),
      ...denied,
    },
  };
}

/** The caller, and for whom it called: neither approves the release alone. */
export function startersOf({ startedBy, onBehalfOf }: ReleaseRecord): (string | undefined)[] {
  return [startedBy, onBehalfOf];
}

/** A release that went back has done nothing where it had not been: such a cluster is as it was. */
export function countTargets(
  states: ReleaseRecord['targetStates'],
  release?: ReleaseState,
): ReleaseCounts {
  const wentBack = release === 'RollingBack' || release === 'RolledBack';
  const counts: ReleaseCounts = {
    total: 0,
    done: 0,
    running: 0,
    failed: 0,
    pending: 0,
    rolledBack: 0,
  };
  for (const [state, count] of Object.entries(states) as [TargetState, number][]) {
    counts.total += count;
    counts[wentBack && state === 'Unchanged' ? 'pending' : COUNTED_AS[state]] += count;
  }
  return counts;
}

/** The worst one that is known; what is not known is never healthy. */
export function healthOf(health: ReleaseRecord['targetHealth']): TargetHealth['state'] {
  const worstFirst = ['Failed', 'Progressing', 'Unknown', 'Healthy'] as const;
  return worstFirst.find(state => (health[state] ?? 0) > 0) ?? 'Unknown';
}

function currentStage(run: ReleaseRun): ReleaseView['stage'] {
  const { stages } = forwardPlan(run);
  const index = Math.min(run.stage, stages.length - 1);
  if (
    index < 0 ||
    (isFinalRelease(run.state) &&
      run.state !== 'Aborted' &&
      run.state !== 'Failed' &&
      run.state !== 'RolledBack')
  ) {
    return undefined;
  }
  const { name, kind } = stages[index];
  return { index, name, kind, total: stages.length };
}
