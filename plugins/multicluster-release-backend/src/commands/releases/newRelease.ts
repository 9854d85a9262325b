/*
 * The release that a person starts, or queues, without the database. Pure.
 */
import { counted, type ReleaseSpec } from 'backstage-plugin-multicluster-release-common';
import { createRun } from '../../decide/createRun';
import { stateEvents } from '../../decide/move';
import type { RunEvent } from '../../decide/types';
import type { HoldRecord, NewRelease, PreviewedPlan, StartContext } from '../../store';
import { currentRecords } from '../../store/currentRecords';
import type { Actor } from '../CommandContext';
import { OnHoldError, RecordMovedError } from '../errors';
import type { CurrentState } from '../planning/currentState';

/** Who starts it, and why. */
export interface ReleaseOrder {
  actor: Actor;
  reason?: string;
}

export interface NewReleaseInput {
  preview: Pick<PreviewedPlan, 'spec' | 'plan' | 'risks'>;
  /** What the plan was compiled against. */
  current: CurrentState;
  order: ReleaseOrder;
  id: string;
  now: number;
}

/** Its `begin` throws RecordMovedError where the plan was compiled against something else, and OnHoldError. */
export function newRelease({
  preview,
  current,
  order,
  id,
  now,
}: NewReleaseInput): Pick<NewRelease, 'spec' | 'plan' | 'begin'> {
  const { spec, plan, risks } = preview;
  return {
    spec,
    plan,
    begin: started => {
      refuseHeld(spec, started.holds);
      if (!current.holdsFor(started)) {
        throw new RecordMovedError();
      }
      const run = createRun({
        id,
        plan,
        sequence: started.sequence,
        current: currentRecords(started.running),
        acceptedRisks: new Map(Object.entries(risks)),
        queuedBehind: started.queuedBehind,
        startedBy: order.actor.onBehalfOf ?? order.actor.ref,
        now,
      });
      return { run, events: [createdEvent(preview, order, started), ...stateEvents(run)] };
    },
  };
}

/** Asked early, and again with the service locked: a rollback may end at the same moment. */
export function refuseHeld({ targetVersion }: ReleaseSpec, holds: HoldRecord[]): void {
  const hold = holds.find(({ version }) => version === targetVersion);
  if (hold) {
    throw new OnHoldError(hold);
  }
}

function createdEvent(
  { plan }: Pick<PreviewedPlan, 'plan'>,
  { actor, reason }: ReleaseOrder,
  { queuedBehind }: StartContext,
): RunEvent {
  const waits = queuedBehind ? `, behind release ${queuedBehind}` : '';
  return {
    kind: 'release',
    code: 'ReleaseCreated',
    params: { version: plan.targetVersion, count: plan.targets.length, hash: plan.hash },
    message: `${actor.ref} asked for ${plan.targetVersion} on ${counted(
      plan.targets.length,
      'cluster',
    )}${waits}`,
    actor: actor.ref,
    reason,
  };
}
