/*
 * Which actions a release takes now, and why not. Pages show what this says, and
 * the commands ask it before they change anything: one source for both.
 *
 * Pause, stop and roll back are orders that protect; they are shown as not
 * allowed where they would change nothing, and yet never fail when sent
 * (design.md 4.10). Promote and retry carry the stage that the person saw.
 */
import {
  isFinalRelease,
  type ActionName,
  type ActionState,
  type PlanStage,
  type TargetState,
} from 'backstage-plugin-multicluster-release-common';
import { isRestore, leadsBack } from '../../decide/rollback';
import { forwardPlan, isPutBack } from '../../decide/turn';
import type { ReleaseRun } from '../../decide/types';
import { approveState, rejectState, skipObstacle, type Asker } from './approving';
import { openGates, openQuestions, runningWaits } from './gates';
import { risksHash } from './risks';
import { allowed, denied } from './states';

export interface ActionFacts extends Asker {
  /** The release that sent this one back, if there is one. */
  rolledBackBy?: string;
}

export function actionStates(
  run: ReleaseRun,
  facts: ActionFacts = {},
): Record<ActionName, ActionState> {
  return {
    promote: promoteState(run),
    pause: pauseState(run),
    resume: resumeState(run),
    abort: abortState(run),
    rollback: isFinalRelease(run.state) ? rollbackOfFinalState(run, facts) : rollbackState(run),
    retry: retryState(run),
    'skip-cluster': skipClusterState(run),
    'skip-wait': skipWaitState(run),
    'skip-gate': skipGateState(run, facts),
    approve: notForward(run) ?? approveState(run, facts),
    reject: notForward(run) ?? rejectState(run, facts.viewer),
    accept: acceptState(run),
  };
}

const ENDED = denied('Final', 'The release has ended.');
const GOES_BACK = denied('RollingBack', 'The release is being rolled back.');
const STOPPED = denied('Stopping', 'The release is being stopped.');
const SUPERSEDED = denied('Superseded', 'A newer release takes the place of this one.');

/** What stands in the way of every order that leads forward. */
function notForward(run: ReleaseRun): ActionState | undefined {
  if (isFinalRelease(run.state)) {
    return ENDED;
  }
  if (run.rollback) {
    return GOES_BACK;
  }
  if (run.superseded) {
    return SUPERSEDED;
  }
  return run.aborted ? STOPPED : undefined;
}

/** The stage whose gate waits for a person now. */
function stageToPromote(run: ReleaseRun): PlanStage | undefined {
  const stage = forwardPlan(run).stages[run.stage];
  const stageRun = run.stages[run.stage];
  const waits = stageRun?.gateAt !== undefined && stageRun.promotedBy === undefined;
  return stage && waits && waitsForPromotion(stage) ? stage : undefined;
}

export function waitsForPromotion(stage: PlanStage): boolean {
  return stage.steps.some(step => step.scope === 'stage' && step.wait?.for === 'promotion');
}

function promoteState(run: ReleaseRun): ActionState {
  const obstacle = notForward(run);
  if (obstacle) {
    return obstacle;
  }
  if (stageToPromote(run)) {
    return allowed(run.stage);
  }
  const name = forwardPlan(run).stages[run.stage]?.name ?? 'the last stage';
  return (
    wayOn(run, name) ??
    denied('NothingToPromote', `${name} does not wait for a promotion now.`, { stage: name })
  );
}

/** What a person who wants to go on can do instead of a promotion. */
function wayOn(run: ReleaseRun, stage: string): ActionState | undefined {
  if (openQuestions(run).length > 0) {
    return denied('AwaitsApproval', `${stage} waits for an approval: approve, or skip the gate.`, {
      stage,
    });
  }
  const observes = run.waiting.some(({ code }) => code === 'soak');
  return observes && runningWaits(run).length > 0
    ? denied(
        'Observing',
        `${stage} is being observed: wait until that is over, or skip the wait.`,
        {
          stage,
        },
      )
    : undefined;
}

function pauseState(run: ReleaseRun): ActionState {
  return (
    notForward(run) ??
    (run.paused ? denied('AlreadyPaused', 'The release is paused already.') : allowed())
  );
}

function resumeState(run: ReleaseRun): ActionState {
  return (
    notForward(run) ?? (run.paused ? allowed() : denied('NotPaused', 'The release is not paused.'))
  );
}

function abortState(run: ReleaseRun): ActionState {
  return notForward(run) ?? allowed();
}

function rollbackState(run: ReleaseRun): ActionState {
  if (run.rollback) {
    return GOES_BACK;
  }
  return run.plans[0].kind === 'rollback'
    ? denied(
        'IsRollback',
        'This release is a rollback itself. Stop it, or start a release of the version that you want.',
      )
    : allowed();
}

function rollbackOfFinalState(run: ReleaseRun, { rolledBackBy }: ActionFacts): ActionState {
  if (rolledBackBy !== undefined) {
    return denied('RolledBackAlready', `Release ${rolledBackBy} has rolled it back.`, {
      id: rolledBackBy,
    });
  }
  return run.targets.some(canGoBack)
    ? allowed()
    : denied('NothingToRollBack', 'It has left nothing on any cluster that could be put back.');
}

/** It still bears what the release brought, and the record knows what was there before. */
export function canGoBack(target: ReleaseRun['targets'][number]): boolean {
  const bearsIt =
    target.touched && target.state !== 'RolledBack' && target.state !== 'RollbackPending';
  return bearsIt && (target.from !== undefined || target.beforeDigest !== undefined);
}

/** The release wrote there and a rollback of it, or of this cluster alone, reaches it. */
export function wouldGoBack(run: ReleaseRun, target: ReleaseRun['targets'][number]): boolean {
  return isFinalRelease(run.state)
    ? canGoBack(target)
    : target.touched && !target.skip && !isPutBack(run, target);
}

function retryState(run: ReleaseRun): ActionState {
  const obstacle = notForward(run);
  if (obstacle) {
    return obstacle;
  }
  return run.targets.some(target => isRetryable(run, target))
    ? allowed(run.stage)
    : denied('NothingFailed', 'No cluster has failed that could be tried again.');
}

/** Failed on the way forward, and not put back. */
export function isRetryable(run: ReleaseRun, target: ReleaseRun['targets'][number]): boolean {
  return target.state === 'Failed' && target.plan === forwardPlan(run).number;
}

const MAY_BE_SKIPPED = new Set<TargetState>([
  'Pending',
  'Blocked',
  'Offline',
  'Applying',
  'Verifying',
  'Soaking',
  'Failed',
]);

/** Not done yet, and not on its way back. */
export function isSkippable(run: ReleaseRun, target: ReleaseRun['targets'][number]): boolean {
  return (
    MAY_BE_SKIPPED.has(target.state) && target.plan === forwardPlan(run).number && !target.skip
  );
}

function skipClusterState(run: ReleaseRun): ActionState {
  const obstacle = notForward(run);
  if (obstacle) {
    return obstacle;
  }
  if (isRestore(run)) {
    // What it has written cannot be put back alone, so nothing can be left out.
    const [code, what] = leadsBack(run)
      ? (['IsRollback', 'rollback'] as const)
      : (['IsRemoval', 'removal'] as const);
    const wayOut = 'Stop it, or try the failed clusters again.';
    return denied(code, `This release is a ${what}, and leaves no cluster out. ${wayOut}`);
  }
  return run.targets.some(target => isSkippable(run, target))
    ? allowed()
    : denied('NothingToSkip', 'Every cluster is done, or on its way back.');
}

function skipWaitState(run: ReleaseRun): ActionState {
  return (
    notForward(run) ??
    (runningWaits(run).length > 0
      ? allowed(run.stage)
      : denied('NothingToSkip', 'Nothing is being observed now.'))
  );
}

function skipGateState(run: ReleaseRun, facts: ActionFacts): ActionState {
  const obstacle = notForward(run);
  if (obstacle) {
    return obstacle;
  }
  const answers = openGates(run).map(
    gate => skipObstacle(run, gate, facts) ?? { ...allowed(run.stage), params: { gate: gate.id } },
  );
  const nothing = denied('NothingToSkip', 'No gate is open that could be skipped.');
  return answers.find(answer => answer.allowed) ?? answers[0] ?? nothing;
}

/** With what stands for all that there is to see, to be sent back by who has seen it. */
function acceptState(run: ReleaseRun): ActionState {
  const obstacle = notForward(run);
  if (obstacle) {
    return obstacle;
  }
  const hash = risksHash(run);
  const seen = {
    ...(run.planChanged && { planHash: run.planChanged.hash }),
    ...(hash !== undefined && { risksHash: hash }),
  };
  return Object.keys(seen).length > 0
    ? { ...allowed(), params: seen }
    : denied('NothingToAccept', 'Nothing has changed since the preview.');
}
