/*
 * How a release that has ended is sent back, without the database: which
 * clusters, to what, and the release that does it. Pure.
 */
import {
  compileRollback,
  counted,
  type ActionRequest,
  type ContentRef,
  type Plan,
  type RollbackTarget,
  type TargetKey,
} from 'backstage-plugin-multicluster-release-common';
import { createRun } from '../../decide/createRun';
import { withWayBack } from '../../decide/inventory';
import { stateEvents } from '../../decide/move';
import { contentBefore } from '../../decide/rollback';
import { sha256 } from '../../decide/sha256';
import { forwardPlan } from '../../decide/turn';
import type { HoldRequest, ReleaseRun, RunEvent } from '../../decide/types';
import type { HoldRecord, NewRelease } from '../../store';
import { currentRecords } from '../../store/currentRecords';
import { actionStates, canGoBack } from '../actions/allowed';
import { isChosen } from '../actions/chosen';
import { OnHoldError, RecordMovedError, RefusedError } from '../errors';
import type { CurrentState } from '../planning/currentState';

/** Who sends it back, as the commands have it. */
export interface WayBackOrder {
  /** Who called, and for whom. */
  actor: { ref: string; onBehalfOf?: string };
  request: ActionRequest;
}

export interface WayBackInput {
  /** The release that has ended. */
  run: ReleaseRun;
  current: CurrentState;
  request: ActionRequest;
  /** Where the request names a version: what its releases brought to each target. */
  versions?: ReadonlyMap<TargetKey, ContentRef>;
}

/** @throws RefusedError where the page does not offer it either */
export function refuseUnlessOffered(run: ReleaseRun, rolledBackBy: string | undefined): void {
  const state = actionStates(run, { rolledBackBy }).rollback;
  if (!state.allowed) {
    throw new RefusedError({
      code: 'NotAllowed',
      message: state.message ?? '',
      params: { action: 'rollback', reason: state.reasonCode ?? '' },
    });
  }
}

/**
 * The clusters that go back, and to what. Those that a newer release owns by now
 * are left to it.
 *
 * @throws RefusedError `NothingToRollBack`
 */
export function wayBackTargets({
  run,
  current,
  request,
  versions,
}: WayBackInput): RollbackTarget[] {
  const plan = forwardPlan(run);
  const chosen = run.targets.filter(target => canGoBack(target) && isChosen(target, request));
  const targets = chosen.flatMap((target): RollbackTarget[] => {
    const { key, cluster, namespace, group } = target;
    const brought = plan.targets.find(planned => planned.key === key)?.to;
    // Undefined too where a newer release has taken it away: it does not come back by this.
    const runs = current.expected.get(key);
    const to = versions ? versions.get(key) : contentBefore(target);
    // Of what was never proven the record says what ran before; the cluster may bear either.
    const sent = current.unproven.get(key);
    const unproven = sent !== undefined && sent === target.sequence;
    const bears = sent === undefined ? runs?.digest === brought?.digest : unproven;
    return bears && to && (unproven || to.digest !== runs?.digest)
      ? [{ cluster, namespace, group, from: runs ?? brought, to }]
      : [];
  });
  if (targets.length === 0) {
    throw nothingToRollBack(request);
  }
  return targets;
}

function nothingToRollBack({ toVersion }: ActionRequest): RefusedError {
  const where =
    toVersion === undefined
      ? 'no cluster runs what this release brought and has an earlier version on record'
      : `version ${toVersion} is not on record for any of its clusters`;
  return new RefusedError({
    code: 'NothingToRollBack',
    message: `There is nothing to roll back: ${where}.`,
  });
}

export interface WayBackRelease extends WayBackInput {
  order: WayBackOrder;
  targets: RollbackTarget[];
  id: string;
  now: number;
}

/** What is stored of the release that goes back; the rest is the same for every release. */
export type NewWayBack = Pick<NewRelease, 'plan' | 'rolledBackFrom' | 'hold' | 'begin'>;

/** Its `begin` throws RecordMovedError, and OnHoldError where the order does not say `releaseHold`. */
export function wayBackRelease(input: WayBackRelease): NewWayBack {
  const { run, request, order, targets, current, id, now } = input;
  const plan = rollbackPlan(run, targets);
  const by = order.actor.onBehalfOf ?? order.actor.ref;
  return {
    plan,
    rolledBackFrom: leavesSome(run, request) ? undefined : run.id,
    hold: holdOf(run, order),
    begin: started => {
      if (!current.holdsFor(started)) {
        throw new RecordMovedError();
      }
      refuseHeld(targets, started.holds, request);
      const { sequence, queuedBehind, running } = started;
      const back = createRun({
        id,
        plan,
        sequence,
        current: withWayBack(currentRecords(running), run),
        acceptedRisks: new Map(),
        queuedBehind,
        startedBy: by,
        now,
      });
      return {
        run: back,
        events: [createdEvent(run, plan, order), ...stateEvents(back)],
        liftHolds: {
          versions: targets.flatMap(({ to }) => to?.version ?? []),
          by,
          reason: request.reason,
        },
      };
    },
  };
}

/** What is on hold and would come back; asked with the service locked. */
function refuseHeld(
  targets: RollbackTarget[],
  holds: HoldRecord[],
  { releaseHold }: ActionRequest,
): void {
  const versions = new Set(targets.map(({ to }) => to?.version));
  const held = holds.find(({ version }) => versions.has(version));
  if (held && releaseHold !== true) {
    throw new OnHoldError(held);
  }
}

/** Named clusters alone do not make it a release that was rolled back: the others can still follow. */
function leavesSome(run: ReleaseRun, request: ActionRequest): boolean {
  return run.targets.some(target => canGoBack(target) && !isChosen(target, request));
}

function rollbackPlan(run: ReleaseRun, targets: RollbackTarget[]): Plan {
  const { rules, stages } = forwardPlan(run);
  return compileRollback({
    service: run.service,
    targetVersion: targets[0].to?.version ?? run.targetVersion,
    targets,
    number: 1,
    rules,
    timeoutMilliseconds: Math.max(...stages.map(stage => stage.timeoutMilliseconds)),
    sha256,
  });
}

/**
 * What was sent back stays away until a person wants it again. Sending back a
 * rollback holds nothing, and named clusters alone neither: the others keep it.
 */
function holdOf(run: ReleaseRun, { actor, request }: WayBackOrder): HoldRequest | undefined {
  return forwardPlan(run).kind === 'forward' && !request.targets
    ? { version: run.targetVersion, reason: request.reason ?? `sent back by ${actor.ref}` }
    : undefined;
}

function createdEvent(run: ReleaseRun, plan: Plan, { actor, request }: WayBackOrder): RunEvent {
  return {
    kind: 'release',
    code: 'RollbackCreated',
    params: {
      version: plan.targetVersion,
      from: run.targetVersion,
      releaseId: run.id,
      count: plan.targets.length,
    },
    message: `${actor.ref} sends ${counted(plan.targets.length, 'cluster')} back from ${
      run.targetVersion
    } to ${plan.targetVersion}`,
    actor: actor.ref,
    reason: request.reason,
  };
}
