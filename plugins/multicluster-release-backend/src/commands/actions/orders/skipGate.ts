import type { PlanStep } from 'backstage-plugin-multicluster-release-common';
import { targetsAt } from '../../../decide/skips';
import type { ReleaseRun } from '../../../decide/types';
import type { Refusal } from '../../errors';
import { skipObstacle } from '../approving';
import type { Order } from '../changes';
import { openGates } from '../gates';

/** Lets one gate of the current stage go: a question, or the Jobs that run now. */
export function skipGate(run: ReleaseRun, order: Order): Refusal | undefined {
  const gates = openGates(run);
  const { gate } = order.request;
  const chosen = gates.filter(({ id }) => gate === undefined || id === gate);
  if (chosen.length !== 1) {
    return notOne(gate, gates);
  }
  const obstacle = skipObstacle(run, chosen[0], order.facts ?? {});
  if (obstacle) {
    const { message = 'You may not skip it.', reasonCode = '' } = obstacle;
    return {
      code: 'NotAllowed',
      message,
      params: { action: 'skip-gate', reason: reasonCode },
    };
  }
  skipStep(run, chosen[0], order);
  return undefined;
}

function notOne(gate: string | undefined, gates: PlanStep[]): Refusal {
  const open = gates.map(({ id }) => id).join(', ');
  const which = gate === undefined ? 'Say which gate' : `Gate ${gate} is not open`;
  return {
    code: 'NotAllowed',
    message: gates.length > 0 ? `${which}; open now: ${open}.` : 'No gate is open now.',
    params: { action: 'skip-gate', gates: open },
  };
}

/** A step of the stage is let go as a whole, one that each target walks for those that are there now. */
export function skipStep(run: ReleaseRun, step: PlanStep, { by, now, request }: Order): void {
  const stageRun = run.stages[run.stage];
  const skip = { stepId: step.id, by, at: now, reason: request.reason };
  const keys = targetsAt(run, stageRun, step).map(({ key }) => key);
  stageRun.skipped = [
    ...(stageRun.skipped ?? []),
    step.scope === 'stage' ? skip : { ...skip, keys },
  ];
}
