import type { ReleaseRun } from '../../../decide/types';
import type { Refusal } from '../../errors';
import type { Order } from '../changes';
import { openGates } from '../gates';

/** Lets one gate of the current stage go: a question, or Jobs. */
export function skipGate(run: ReleaseRun, order: Order): Refusal | undefined {
  const gates = openGates(run);
  const gate = order.request.gate ?? (gates.length === 1 ? gates[0] : undefined);
  if (gate === undefined || !gates.includes(gate)) {
    return {
      code: 'NotAllowed',
      message: `Say which gate: one of ${gates.join(', ')} is open.`,
      params: { action: 'skip-gate', gates: gates.join(', ') },
    };
  }
  skipStep(run, gate, order);
  return undefined;
}

export function skipStep(run: ReleaseRun, stepId: string, { by, now, request }: Order): void {
  const stageRun = run.stages[run.stage];
  stageRun.skipped ??= [];
  stageRun.skipped.push({ stepId, by, at: now, reason: request.reason });
}
