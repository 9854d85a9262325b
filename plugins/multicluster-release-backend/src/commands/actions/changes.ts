/*
 * What each order changes in the run. Pure; decide reads these fields at its next
 * turn and does the rest.
 */
import {
  isFinalRelease,
  type ActionName,
  type ActionRequest,
  type ActionState,
  type ContentRef,
  type TargetKey,
} from 'backstage-plugin-multicluster-release-common';
import { stateEvents } from '../../decide/move';
import { answersOf, retryFailed } from '../../decide/retry';
import type { ReleaseRun, RunEvent } from '../../decide/types';
import { forwardPlan } from '../../decide/turn';
import type { Refusal } from '../errors';
import { actionStates, isRetryable, waitsForPromotion, type ActionFacts } from './allowed';
import { isChosen } from './chosen';
import { runningWaits } from './gates';
import { accept } from './orders/accept';
import { approve, reject } from './orders/approve';
import { rollBack } from './orders/rollBack';
import { skipClusters } from './orders/skipClusters';
import { skipGate, skipStep } from './orders/skipGate';

export interface Order {
  /** User entity ref, or the service that called. */
  by: string;
  now: number;
  request: ActionRequest;
  facts?: ActionFacts;
  /** For a rollback to a version of choice: its content, by target. */
  contents?: ReadonlyMap<TargetKey, ContentRef>;
}

/** A run as it stands is answered where the order would change nothing. */
export type OrderResult = { run: ReleaseRun; events: RunEvent[] } | { refusal: Refusal };

/** Orders that never fail because something progressed (design.md 4.10). */
const PROTECTING: ActionName[] = ['pause', 'abort', 'reject', 'rollback'];

/** Orders that carry the stage which the person saw. */
const BOUND_TO_STAGE: ActionName[] = ['promote', 'retry', 'skip-wait', 'skip-gate', 'approve'];

/** Applies an order to a release that has not ended, or says why not. Pure. */
export function applyOrder(action: ActionName, before: ReleaseRun, order: Order): OrderResult {
  const moved = stageMoved(action, before, order);
  if (moved) {
    return { refusal: moved };
  }
  const state = actionStates(before, order.facts)[action];
  if (!state.allowed) {
    return isNoOp(action, before, state)
      ? { run: before, events: [] }
      : {
          refusal: {
            code: 'NotAllowed',
            message: state.message ?? `${action} is not allowed now.`,
            params: { action, reason: state.reasonCode ?? '' },
          },
        };
  }
  const run = structuredClone(before);
  // Also one that waits in the queue has to act on it.
  run.needsWork = true;
  const refusal = CHANGES[action](run, order);
  if (refusal === 'nothing') {
    return { run: before, events: [] };
  }
  return refusal
    ? { refusal }
    : {
        run,
        events: [
          orderEvent(action, run, order),
          ...voidEvents(action, run, before),
          ...stateEvents(run, before),
        ],
      };
}

function stageMoved(action: ActionName, run: ReleaseRun, { request }: Order): Refusal | undefined {
  const { expectedStage } = request;
  if (
    expectedStage === undefined ||
    expectedStage === run.stage ||
    !BOUND_TO_STAGE.includes(action)
  ) {
    return undefined;
  }
  const name = forwardPlan(run).stages[run.stage]?.name ?? 'the end';
  return {
    code: 'StageMoved',
    message: `The release has moved on to stage ${
      run.stage + 1
    } (${name}). Look at it again before you ${action}.`,
    params: { expected: expectedStage, stage: run.stage, name },
  };
}

function isNoOp(action: ActionName, run: ReleaseRun, { reasonCode }: ActionState): boolean {
  if (reasonCode === 'NotAsked' || reasonCode === 'NothingToReject') {
    return false;
  }
  return (
    PROTECTING.includes(action) ||
    (action === 'resume' && !isFinalRelease(run.state)) ||
    (action === 'approve' && reasonCode === 'ApprovedAlready')
  );
}

type Change = (run: ReleaseRun, order: Order) => Refusal | 'nothing' | undefined;

const CHANGES: Record<ActionName, Change> = {
  promote(run, { by, request }) {
    const { stages } = forwardPlan(run);
    const last = request.full ? stages.length : run.stage + 1;
    for (const stage of stages.slice(run.stage, last)) {
      if (waitsForPromotion(stage)) {
        run.stages[stage.index].promotedBy ??= by;
      }
    }
    return undefined;
  },
  pause(run, { by, now, request }) {
    run.paused = { by, since: now, reason: request.reason };
    return undefined;
  },
  resume(run) {
    run.paused = undefined;
    return undefined;
  },
  abort(run, { by, now, request }) {
    run.aborted = { by, since: now, reason: request.reason };
    return undefined;
  },
  rollback: rollBack,
  'skip-cluster': skipClusters,
  'skip-wait'(run, order) {
    runningWaits(run).forEach(step => skipStep(run, step, order));
    return undefined;
  },
  'skip-gate': skipGate,
  approve,
  reject,
  retry(run, order) {
    const retried = retryFailed(
      run,
      target => isRetryable(run, target) && isChosen(target, order.request),
    );
    return retried.length > 0
      ? undefined
      : {
          code: 'NotAllowed',
          message: 'None of the named clusters has failed.',
          params: { action: 'retry' },
        };
  },
  accept,
};

const WORDS: Record<ActionName, [code: string, word: string]> = {
  promote: ['Promoted', 'promoted the release'],
  pause: ['Paused', 'paused the release'],
  resume: ['Resumed', 'resumed the release'],
  abort: ['AbortRequested', 'asked to stop the release'],
  rollback: ['RollbackRequested', 'asked to roll back'],
  retry: ['RetryRequested', 'asked to try failed clusters again'],
  'skip-cluster': ['ClustersSkipped', 'skipped clusters'],
  'skip-wait': ['WaitSkipped', 'ended the cool-down'],
  'skip-gate': ['GateSkipped', 'skipped a gate'],
  approve: ['Approved', 'approved'],
  reject: ['Rejected', 'rejected'],
  accept: ['ChangeAccepted', 'accepted what changed'],
};

function orderEvent(action: ActionName, run: ReleaseRun, { by, request }: Order): RunEvent {
  const [code, word] = WORDS[action];
  const stage = forwardPlan(run).stages[run.stage];
  return {
    kind: 'release',
    code,
    params: {
      by,
      stage: stage?.name ?? '',
      ...(request.gate === undefined ? {} : { gate: request.gate }),
      ...(request.targets ? { clusters: namesOf(request) } : {}),
      ...(request.toVersion === undefined ? {} : { version: request.toVersion }),
    },
    message: `${by} ${word}${named(request)}`,
    actor: by,
    reason: request.reason,
    stage: stage?.index,
  };
}

/** Says where a new attempt has made void what people had answered for the stage. */
function voidEvents(action: ActionName, run: ReleaseRun, before: ReleaseRun): RunEvent[] {
  const stage = forwardPlan(run).stages[run.stage];
  const isLess =
    stage && answersOf(run.stages[stage.index]) < answersOf(before.stages[stage.index]);
  if (action !== 'retry' || !isLess) {
    return [];
  }
  return [
    {
      kind: 'stage',
      code: 'AnswersVoid',
      params: { stage: stage.name },
      message: `stage ${stage.index + 1} (${
        stage.name
      }): clusters try again, so what was answered before is void; it is asked anew`,
      actor: 'system',
      stage: stage.index,
    },
  ];
}

function namesOf({ targets = [] }: ActionRequest): string {
  return targets.map(({ cluster }) => cluster).join(', ');
}

/** Which clusters, where not all are meant. */
function named(request: ActionRequest): string {
  return request.targets ? ` on ${namesOf(request)}` : '';
}
