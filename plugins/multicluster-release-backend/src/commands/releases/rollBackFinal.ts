import { NotFoundError } from '@backstage/errors';
import {
  counted,
  compileRollback,
  type ActionRequest,
  type Plan,
  type RollbackTarget,
} from 'backstage-plugin-multicluster-release-common';
import { createRun } from '../../decide/createRun';
import { withWayBack } from '../../decide/inventory';
import { stateEvents } from '../../decide/move';
import { contentBefore } from '../../decide/rollback';
import { sha256 } from '../../decide/sha256';
import { forwardPlan } from '../../decide/turn';
import type { HoldRequest, ReleaseRun, RunEvent } from '../../decide/types';
import {
  createRelease,
  currentRecords,
  loadRuns,
  type HoldRecord,
  type ReleaseRecord,
} from '../../store';
import type { CommandContext } from '../CommandContext';
import type { ActRequest, ActResult } from '../actions/actOnRelease';
import { actionStates, canGoBack } from '../actions/allowed';
import { isChosen } from '../actions/chosen';
import { OnHoldError, RecordMovedError, RefusedError } from '../errors';
import { readCurrent, type CurrentState } from '../planning/readCurrent';
import { contentsOfVersion } from './contentsOfVersion';

/**
 * A release that has ended is sent back by a new release, compiled from the
 * record and stored content alone (design.md 4.15). Clusters that a newer
 * release owns by now are left to it.
 *
 * @throws RefusedError `NothingToRollBack`; OnHoldError where the way back leads
 * to a version on hold and the request does not say `releaseHold`
 */
export async function rollBackFinal(context: CommandContext, act: ActRequest): Promise<ActResult> {
  const { record, run } = await loadBoth(context, act.releaseId);
  const state = actionStates(run, { rolledBackBy: record.rolledBackBy }).rollback;
  if (!state.allowed) {
    throw new RefusedError({
      code: 'NotAllowed',
      message: state.message ?? '',
      params: { action: 'rollback', reason: state.reasonCode ?? '' },
    });
  }
  for (let attempt = 1; ; attempt += 1) {
    const current = await readCurrent(context.database, run.service);
    const targets = await wayBack(context, { run, current, request: act.request });
    try {
      return await create(context, act, { record, run, targets, current });
    } catch (error) {
      if (!(error instanceof RecordMovedError) || attempt === ATTEMPTS) {
        throw error;
      }
    }
  }
}

/** How often the way back is found anew because another release of the service moved meanwhile. */
const ATTEMPTS = 4;

/** What is on hold and would come back; asked with the service locked. */
function refuseHeld(targets: RollbackTarget[], holds: HoldRecord[], act: ActRequest): void {
  const versions = new Set(targets.map(({ to }) => to?.version));
  const held = holds.find(({ version }) => versions.has(version));
  if (held && act.request.releaseHold !== true) {
    throw new OnHoldError(held);
  }
}

async function loadBoth(
  { database }: CommandContext,
  id: string,
): Promise<{ record: ReleaseRecord; run: ReleaseRun }> {
  const loaded = (await loadRuns(database, [id])).get(id);
  if (!loaded) {
    throw new NotFoundError(
      `Release ${id} does not exist; it may have been removed with old records`,
    );
  }
  return loaded;
}

interface WayBackInput {
  run: ReleaseRun;
  current: CurrentState;
  request: ActionRequest;
}

async function wayBack(
  context: CommandContext,
  { run, current, request }: WayBackInput,
): Promise<RollbackTarget[]> {
  const plan = forwardPlan(run);
  const chosen = run.targets.filter(target => canGoBack(target) && isChosen(target, request));
  const versions =
    request.toVersion === undefined
      ? undefined
      : await contentsOfVersion(context, run.service, request.toVersion);
  const targets = chosen.flatMap((target): RollbackTarget[] => {
    const { key, cluster, namespace, group } = target;
    const brought = plan.targets.find(planned => planned.key === key)?.to;
    const runs = current.expected.get(key) ?? brought;
    const to = versions ? versions.get(key) : contentBefore(target);
    const newer = target.state !== 'Failed' && runs?.digest !== brought?.digest;
    return newer || !to || to.digest === runs?.digest
      ? []
      : [{ cluster, namespace, group, from: runs, to }];
  });
  if (targets.length === 0) {
    const where =
      request.toVersion === undefined
        ? 'no cluster runs what this release brought and has an earlier version on record'
        : `version ${request.toVersion} is not on record for any of its clusters`;
    throw new RefusedError({
      code: 'NothingToRollBack',
      message: `There is nothing to roll back: ${where}.`,
    });
  }
  return targets;
}

/** Named clusters alone do not make it a release that was rolled back: the others can still follow. */
function leavesSome(run: ReleaseRun, request: ActionRequest): boolean {
  return run.targets.some(target => canGoBack(target) && !isChosen(target, request));
}

interface CreateInput {
  record: ReleaseRecord;
  run: ReleaseRun;
  targets: RollbackTarget[];
  current: CurrentState;
}

async function create(
  context: CommandContext,
  act: ActRequest,
  { record, run, targets, current }: CreateInput,
): Promise<ActResult> {
  const { actor, request, idempotency } = act;
  const id = context.newId();
  const now = context.now();
  const plan = rollbackPlan(run, targets);
  const made = await createRelease(context.database, {
    id,
    service: run.service,
    spec: { ...record.spec, targetVersion: plan.targetVersion },
    plan,
    strategy: 'Rollback',
    startedBy: actor.ref,
    onBehalfOf: actor.onBehalfOf,
    reason: request.reason,
    rolledBackFrom: leavesSome(run, request) ? undefined : run.id,
    hold: holdOf(run, act),
    idempotency,
    now,
    begin: started => {
      if (!current.holdsFor(started)) {
        throw new RecordMovedError();
      }
      refuseHeld(targets, started.holds, act);
      const { sequence, queuedBehind, running } = started;
      const back = createRun({
        id,
        plan,
        sequence,
        current: withWayBack(currentRecords(running), run),
        acceptedRisks: new Map(),
        queuedBehind,
        startedBy: actor.onBehalfOf ?? actor.ref,
        now,
      });
      return {
        run: back,
        events: [createdEvent(run, plan, act), ...stateEvents(back)],
        liftHolds: {
          versions: targets.flatMap(({ to }) => to?.version ?? []),
          by: actor.onBehalfOf ?? actor.ref,
          reason: request.reason,
        },
      };
    },
  });
  context.onChange({ releaseId: made.id, service: run.service, revision: 1 });
  return { id: made.id, result: made.result };
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
function holdOf(run: ReleaseRun, { actor, request }: ActRequest): HoldRequest | undefined {
  return forwardPlan(run).kind === 'forward' && !request.targets
    ? { version: run.targetVersion, reason: request.reason ?? `sent back by ${actor.ref}` }
    : undefined;
}

function createdEvent(run: ReleaseRun, plan: Plan, { actor, request }: ActRequest): RunEvent {
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
